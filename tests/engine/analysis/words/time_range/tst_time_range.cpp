// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/time_range.h"

#include <QTest>
#include <stdexcept>

using namespace lanes;

class tst_TimeRange : public QObject {
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void saysWhereTheRunEnds();
};

void tst_TimeRange::reads_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Ns>("start");
    QTest::addColumn<Ns>("end");
    const auto row
        = [](const char* text, Ns start, Ns end) { QTest::newRow(text) << QByteArray(text) << start << end; };
    row("2ms:5.5ms", 2'000'000, 5'500'000);
    row("0:1000", 0, 1000);
    row("250us:", 250'000, 9'000'000);
    row(":3 µs", 0, 3000);
    row(":", 0, 9'000'000);
    row("1.5us : 2us", 1500, 2000);
    row("17ns:18ns", 17, 18);
    row("8ms:10s", 8'000'000, 10'000'000'000);
}

void tst_TimeRange::reads()
{
    QFETCH(QByteArray, text);
    QFETCH(Ns, start);
    QFETCH(Ns, end);
    const auto range = parse_time_range(text.toStdString(), 9'000'000);
    QCOMPARE(range.start, start);
    QCOMPARE(range.end, end);
}

void tst_TimeRange::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    const auto row
        = [](const char* text, const char* says) { QTest::newRow(text) << QByteArray(text) << QByteArray(says); };
    row("2ms", "expected A:B");
    row("1:2:3", "expected A:B");
    row("", "expected A:B");
    row("2mm:3ms", "unknown unit 'mm'");
    row("stedy", "'stedy' is not a range, expected A:B such as 2ms:5.5ms; did you mean 'steady'?");
    row("ms:3ms", "is not a time");
    row("-1ms:3ms", "is not a time in a recording");
    row("5ms:2ms", "ends before it begins");
    row("2ms:2ms", "is empty: it ends where it begins");
    row("10ms:", "after the recording's end");
    row("9ms:12ms", "found 9 ms, expected a time of the recording, which spans 0 ms to 9.00 ms");
    row("9000001ns:", "found 9.000001 ms, expected a time of the recording, which spans 0 ms to 9.00 ms");
    row("5s:6s", "found 5 s, expected a time of the recording, which spans 0 ms to 9.00 ms");
    row("nan:1ms", "is not a time in a recording");
    row("1e300s:", "is not a time in a recording");
}

void tst_TimeRange::refuses()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    try {
        parse_time_range(text.toStdString(), 9'000'000);
        QFAIL("it was taken");
    } catch (const std::invalid_argument& error) {
        QVERIFY2(QByteArray(error.what()).contains(says), error.what());
    }
}

/// The run is the total that is shown elsewhere; after it the host may still read for a while.
void tst_TimeRange::saysWhereTheRunEnds()
{
    const auto said = [](const char* text, Ns duration, Ns run) {
        try {
            parse_time_range(text, duration, run);
        } catch (const std::invalid_argument& error) {
            return QByteArray(error.what());
        }
        return QByteArray();
    };
    const QByteArray both = said("90ms:", 53'307'796, 50'123'456);
    QVERIFY2(both.contains("which spans 0 ms to 53.3 ms (the run ends at 50.1 ms; "), both);
    const QByteArray same = said("90ms:", 53'307'796, 53'301'000);
    QVERIFY2(same.endsWith("which spans 0 ms to 53.3 ms"), same);
    const QByteArray close = said("53.37ms:", 53'362'000, 0);  // 53.4 ms would be after it
    QVERIFY2(close.endsWith("found 53.37 ms, expected a time of the recording, which spans 0 ms to 53.362 ms"), close);
}

QTEST_GUILESS_MAIN(tst_TimeRange)
#include "tst_time_range.moc"
