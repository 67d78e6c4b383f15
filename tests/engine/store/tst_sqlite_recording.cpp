// SPDX-License-Identifier: MIT
#include "engine/store/recording.h"
#include "engine/trace/trace_builder.h"
#include "tests/engine/trace/trace_difference.h"
#include "tests/engine/trace/random_records.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

class tst_SqliteRecording : public QObject {
    Q_OBJECT

private slots:
    void keepsEverything_data();
    void keepsEverything();
    void sameTraceSameBytes();

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    QTemporaryDir m_folder;
};

void tst_SqliteRecording::keepsEverything_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    QTest::addColumn<bool>("window");
    QTest::addColumn<Source>("source");
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        QTest::addRow("seed %u", seed) << seed << (seed % 3 == 0) << (seed % 2 == 0 ? Source::cupti : Source::model);
    }
}

void tst_SqliteRecording::keepsEverything()
{
    QFETCH(std::uint32_t, seed);
    QFETCH(bool, window);
    QFETCH(Source, source);
    TraceBuilder builder;
    RandomRecords(seed).write(builder, 60 * seed, source == Source::model ? 0 : 1'785'620'044'423'518'993, window);
    const auto trace = builder.finish(source);
    QVERIFY(trace.operations.size() > 10);
    QVERIFY(!trace.ranges.empty());
    QCOMPARE(trace.errors.size(), std::size_t{4});

    save_recording(trace, path("a.sqlite"));
    const auto again = open_recording(path("a.sqlite"));
    QCOMPARE(QString::fromStdString(difference(trace, again)), QString());
    save_recording(again, path("b.sqlite"));
    QCOMPARE(QString::fromStdString(difference(trace, open_recording(path("b.sqlite")))), QString());
}

void tst_SqliteRecording::sameTraceSameBytes()
{
    TraceBuilder builder;
    RandomRecords(7).write(builder, 600, 1000, false);
    const auto trace = builder.finish(Source::cupti);
    save_recording(trace, path("a.sqlite"));
    save_recording(trace, path("b.sqlite"));
    QFile a(m_folder.filePath("a.sqlite"));
    QFile b(m_folder.filePath("b.sqlite"));
    QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
    QVERIFY(a.size() > 10'000);
    QVERIFY(a.readAll() == b.readAll());
}

QTEST_GUILESS_MAIN(tst_SqliteRecording)
#include "tst_sqlite_recording.moc"
