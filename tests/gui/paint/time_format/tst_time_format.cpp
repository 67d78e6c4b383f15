// SPDX-License-Identifier: MIT
#include "gui/paint/time_format.h"

#include <QTest>

using namespace lanes::gui;

class tst_TimeFormat : public QObject {
    Q_OBJECT

private slots:
    void times_data();
    void times() { compare([](qint64 t) { return formatTime(t); }); }
    void ticks_data();
    void ticks();
    void bytes_data();
    void bytes() { compare([](qint64 n) { return formatBytes(static_cast<std::uint64_t>(n)); }); }
    void shares();
    void steps();

private:
    template <class F>
    static void compare(F format)
    {
        QFETCH(qint64, value);
        QFETCH(QString, text);
        QCOMPARE(format(value), text);
    }
};

void tst_TimeFormat::times_data()
{
    QTest::addColumn<qint64>("value");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* text, qint64 value) { QTest::newRow(text) << value << QString::fromUtf8(text); };
    row("0 ms", 0);
    row("1 ns", 1);
    row("999 ns", 999);
    row("1.00 µs", 1000);
    row("12.3 µs", 12340);
    row("999 µs", 999'400);
    row("1.00 ms", 999'500);
    row("48.8 ms", 48'800'000);
    row("100 ms", 99'960'000);
    row("1.00 s", 999'900'000);
    row("1234 s", 1'234'000'000'000);
    row("-2.50 ms", -2'500'000);
}

void tst_TimeFormat::ticks_data()
{
    QTest::addColumn<qint64>("time");
    QTest::addColumn<qint64>("step");
    QTest::addColumn<qint64>("reference");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << qint64(0) << qint64(5'000'000) << qint64(50'000'000) << "0 ms";
    QTest::newRow("ms") << qint64(15'000'000) << qint64(5'000'000) << qint64(50'000'000) << "15 ms";
    QTest::newRow("parts of a ms") << qint64(15'020'000) << qint64(20'000) << qint64(50'000'000) << "15.02 ms";
    QTest::newRow("half ms") << qint64(500'000) << qint64(500'000) << qint64(2'000'000) << "0.5 ms";
    QTest::newRow("ns in seconds") << qint64(2'000'000'005) << qint64(5) << qint64(2'000'000'100) << "2.000000005 s";
    QTest::newRow("before the start") << qint64(-200'000) << qint64(100'000) << qint64(2'000'000) << "-0.2 ms";
}

void tst_TimeFormat::ticks()
{
    QFETCH(qint64, time);
    QFETCH(qint64, step);
    QFETCH(qint64, reference);
    QFETCH(QString, text);
    QCOMPARE(formatTick(time, step, reference), text);
}

void tst_TimeFormat::bytes_data()
{
    QTest::addColumn<qint64>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("bytes") << qint64(12) << "12 B";
    QTest::newRow("whole") << qint64(64 << 20) << "64 MiB";
    QTest::newRow("half") << qint64(1536) << "1.5 KiB";
    QTest::newRow("large") << (qint64(3) << 30) << "3 GiB";
    QTest::newRow("no decimals from 100 on") << qint64(123.4 * 1024) << "123 KiB";
}

void tst_TimeFormat::shares()
{
    QCOMPARE(formatShare(0), "0 %");
    QCOMPARE(formatShare(0.001), "< 1 %");
    QCOMPARE(formatShare(0.874), "87 %");
    QCOMPARE(formatShare(0.997), "> 99 %");
    QCOMPARE(formatShare(1), "100 %");
}

void tst_TimeFormat::steps()
{
    QCOMPARE(niceStep(0.3), 1);
    QCOMPARE(niceStep(3), 5);
    QCOMPARE(niceStep(5), 5);
    QCOMPARE(niceStep(5.1), 10);
    QCOMPARE(niceStep(1.2e6), 2'000'000);
}

QTEST_GUILESS_MAIN(tst_TimeFormat)
#include "tst_time_format.moc"
