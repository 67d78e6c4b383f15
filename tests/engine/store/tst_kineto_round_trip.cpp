// SPDX-License-Identifier: MIT
// JSON that Lanescope wrote is the same recording when it is opened again.
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/ranks.h"
#include "tests/engine/trace/random_records.h"
#include "tests/engine/trace/trace_difference.h"
#include "tests/engine/trace/trace_fixture.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

class tst_KinetoRoundTrip : public QObject {
    Q_OBJECT

private slots:
    void recordings_data();
    void recordings();
    void anything_data();
    void anything();
    void rankAndMarks();
    void damagedHead_data();
    void damagedHead();

private:
    Trace thereAndBack(const Trace& trace, const char* name)
    {
        const auto path = m_folder.filePath(name).toStdString();
        save_recording(trace, path);
        return open_recording(path);
    }
    QTemporaryDir m_folder;
};

void tst_KinetoRoundTrip::recordings_data()
{
    QTest::addColumn<QString>("file");
    // What is in the tree is always here; traces of other tools may not be.
    const QString source = qEnvironmentVariable("LANES_SOURCE");
    for (const QString& part : {source + "/resources/recordings/h200", source + "/tests/engine/store/traces",
             source + "/../shared/data/kineto", source + "/../shared/data/chrome", source + "/../shared/data/nsys"}) {
        const QDir folder(part);
        for (const auto& name : folder.entryList(QDir::Files)) {
            if (!name.endsWith(QLatin1String(".truth.json"))) {
                QTest::newRow(qPrintable(folder.dirName() + "/" + name)) << folder.filePath(name);
            }
        }
    }
}

void tst_KinetoRoundTrip::recordings()
{
    QFETCH(QString, file);
    auto trace = open_recording(file.toStdString());
    trace.meta.erase(meta::not_shown);  // is said once, when the file itself is opened
    QCOMPARE(QString::fromStdString(difference(trace, thereAndBack(trace, "out.json.gz"))), QString());
}

void tst_KinetoRoundTrip::anything_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        QTest::addRow("seed %u", seed) << seed;
    }
}

void tst_KinetoRoundTrip::anything()
{
    QFETCH(std::uint32_t, seed);
    TraceBuilder builder;
    RandomRecords(seed).write(builder, 400, 1'785'620'044'423'518'993, false);
    const auto trace = builder.finish(seed % 2 == 0 ? Source::model : Source::cupti);
    QCOMPARE(QString::fromStdString(difference(trace, thereAndBack(trace, "any.json"))), QString());
}

void tst_KinetoRoundTrip::rankAndMarks()
{
    TraceFixture f;
    f.kernel(7, 10, 20);
    auto trace = f.finish();
    trace.meta[meta::ranks] = text_of({{trace.processes.at(0).id, 3, 8}});
    trace.marks = {{5, "here"}, {12, "and \"there\""}};
    const auto again = thereAndBack(trace, "rank.json");
    QVERIFY(again.marks == trace.marks);
    QVERIFY(ranks_of(again) == ranks_of(trace));
    QFile file(m_folder.filePath("rank.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains(R"("backend": "nccl", "rank": 3, "world_size": 8)"));
}

void tst_KinetoRoundTrip::damagedHead_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("another major version") << QByteArray(R"("format": "1.)") << QByteArray(R"("format": "9.)");
    QTest::newRow("no version") << QByteArray(R"("format": "1.)") << QByteArray(R"("format": "x.)");
    QTest::newRow("rows that are none") << QByteArray(R"("processes": [[)") << QByteArray(R"("processes": [7, [)");
    QTest::newRow("steps that are none") << QByteArray(R"("steps": [)") << QByteArray(R"("steps": ["a", [1], {})");
}

/// What is not as this version writes it is read as anybody's: the operations are there.
void tst_KinetoRoundTrip::damagedHead()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const auto trace = open_recording(
        qEnvironmentVariable("LANES_SOURCE").toStdString() + "/resources/recordings/h200/two-streams.two-small.sqlite");
    save_recording(trace, m_folder.filePath("head.json").toStdString());
    QFile file(m_folder.filePath("head.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    auto text = file.readAll();
    QVERIFY(text.contains(before));
    QFile damaged(m_folder.filePath("damaged.json"));
    QVERIFY(damaged.open(QIODevice::WriteOnly));
    damaged.write(text.replace(before, after));
    damaged.close();
    const auto again = open_recording(damaged.fileName().toStdString());
    QCOMPARE(again.operations.size(), trace.operations.size());
    QCOMPARE(again.calls.size(), trace.calls.size());
}

QTEST_GUILESS_MAIN(tst_KinetoRoundTrip)
#include "tst_kineto_round_trip.moc"
