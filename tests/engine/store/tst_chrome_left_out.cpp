// SPDX-License-Identifier: MIT
// What is no part of a Chrome trace, or says too little to be shown.
#include "engine/analysis/caveats.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

class tst_ChromeLeftOut : public QObject {
    Q_OBJECT

private slots:
    void behindTheLastMember_data();
    void behindTheLastMember();
    void operationsWithoutALength_data();
    void operationsWithoutALength();

private:
    QTemporaryDir m_folder;
};

void tst_ChromeLeftOut::behindTheLastMember_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<bool>("complete");
    QTest::newRow("nothing") << QByteArray() << true;
    QTest::newRow("padding") << QByteArray(512, '\0') << true;
    QTest::newRow("one byte") << QByteArray("\n") << true;
    QTest::newRow("anything") << QByteArray("something else") << true;
    QTest::newRow("a member that is cut short") << QByteArray("\x1F\x8B\x08\x00", 4) << false;
}

/// As gzip does: what is no member is no part of the file.
void tst_ChromeLeftOut::behindTheLastMember()
{
    QFETCH(const QByteArray, more);
    const auto name = qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200/two-streams.two-small.sqlite";
    const auto path = m_folder.filePath("more.json.gz");
    save_recording(open_recording(name.toStdString()), path.toStdString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append) && file.write(more) == more.size());
    file.close();
    const auto trace = open_recording(path.toStdString());
    QVERIFY(trace.operations.size() > 0);
    QTEST(is_complete(trace), "complete");
}

void tst_ChromeLeftOut::operationsWithoutALength_data()
{
    QTest::addColumn<QByteArray>("duration");
    QTest::addColumn<bool>("is");
    QTest::newRow("a length") << QByteArray(R"(,"dur":5)") << true;
    QTest::newRow("none at all") << QByteArray(R"(,"dur":0)") << true;
    QTest::newRow("missing") << QByteArray() << false;
    QTest::newRow("null") << QByteArray(R"(,"dur":null)") << false;
    QTest::newRow("below 0") << QByteArray(R"(,"dur":-5)") << false;
    QTest::newRow("no number") << QByteArray(R"(,"dur":"NaN")") << false;
}

/// Nobody knows how long they took. Ranges and calls are moments then, as in viewers.
void tst_ChromeLeftOut::operationsWithoutALength()
{
    QFETCH(const QByteArray, duration);
    QFETCH(const bool, is);
    QByteArray text = R"({"traceEvents":[)";
    for (const char* const category : {"kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "user_annotation"}) {
        text += QByteArray(R"({"ph":"X","pid":0,"tid":7,"ts":10,"name":"Memcpy HtoD","cat":")") + category + '"'
            + duration + R"(,"args":{"device":0,"stream":7,"correlation":1}},)";
    }
    text += R"({"ph":"X","pid":0,"tid":7,"ts":90,"dur":5,"name":"k","cat":"kernel","args":{"device":0,"stream":7}}]})";
    QFile file(m_folder.filePath("trace.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    const auto trace = open_recording(file.fileName().toStdString());
    QCOMPARE(trace.operations.size(), is ? 4U : 1U);
    QCOMPARE(trace.calls.size(), 1U);
    QCOMPARE(trace.ranges.size(), 1U);
    QCOMPARE(trace.meta.contains(meta::skipped_rows), !is);
    QVERIFY(is || trace.meta.at(meta::skipped_rows) == "3");
}

QTEST_APPLESS_MAIN(tst_ChromeLeftOut)
#include "tst_chrome_left_out.moc"
