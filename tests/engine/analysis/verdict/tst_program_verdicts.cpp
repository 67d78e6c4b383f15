// SPDX-License-Identifier: MIT
// What is said of programs that nobody here tuned to (shared/data/programs, beside the source), against what was
// measured of them without a recorder: a row for each kind of sentence that was once false.
#include "engine/analysis/report.h"
#include "engine/store/recording_file.h"

#include <QDir>
#include <QTest>

using namespace lanes;

class tst_ProgramVerdicts : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void verdicts_data();
    void verdicts();
};

void tst_ProgramVerdicts::initTestCase()
{
    qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources");
}

void tst_ProgramVerdicts::verdicts_data()
{
    QTest::addColumn<QByteArray>("begins");  // of the verdict
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QStringList>("findings");  // those that do not come last, the dearest first
    const auto row = [](const char* file, const char* begins, const char* kind, const QStringList& findings) {
        QTest::newRow(file) << QByteArray(begins) << QByteArray(kind) << findings;
    };
    // A graph takes the loop from 831 to 149 ms; without the reads it is 3 % shorter.
    row("decode-eager", "loop: GPU 15 % busy: CPU late; ", "cpu_late", {"cpu-late"});
    row("decode-noitem", "loop: GPU 15 % busy: CPU late; ", "cpu_late", {"cpu-late"});
    row("decode-graph", "loop: GPU 87 % busy", "gpu_bound", {});
    // The GPU is busy for little of these loops: that is no praise.
    row("m-compile", "loop: GPU 7 % busy: CPU late; ", "cpu_late", {"cpu-late"});
    row("m-reduce", "loop: GPU 10 % busy: CPU late; ", "cpu_late", {"cpu-late"});
    row("nanogpt-compile", "loop: GPU 26 % busy: CPU late; ", "cpu_late", {"cpu-late"});
    row("nanogpt-item", "loop: GPU 41 % busy: CPU late; ", "cpu_late", {"cpu-late"});
    row("resnet-pageable", "loop: GPU 57 % busy: CPU late; ", "cpu_late", {"cpu-late", "pageable-async-copy"});
    row("loader-w0", "loop: GPU 2 % busy: CPU late; ", "cpu_late", {"cpu-late"});
    row("loader-w4", "loop: GPU 4 % busy: CPU late; ", "cpu_late", {"cpu-late"});
    // The first call makes the context: no memory is allocated in a loop.
    row("e-exit3", "loop: GPU 82 % busy", "gpu_bound", {});
    row("e-fork", "GPU 2 % busy: the first operation begins after ", "idle", {});
    row("s-ptxjit", "GPU < 1 % busy: the first operation begins after ", "idle", {});
    // No rank is late by 2 % of the run; rank 3 is, by 130 ms.
    row("ddp-one", "loop: 4 GPUs 64 % busy, one thing at a time: communication hidden 0 %", "serial",
        {"communication-after-kernels"});
    row("fsdp2", "loop: 4 GPUs 75 % busy, one thing at a time: communication hidden 2 %", "serial",
        {"communication-late"});
    row("s-cudaGraphsPerfScaling", "loop: GPU ", "cpu_late", {"cpu-late", "sync-in-loop"});
    row("s-simpleStreams", "loop: GPU 98 % busy: copies take 94 %, hidden 0 %", "copy_bound", {"blocked-copy"});
}

void tst_ProgramVerdicts::verdicts()
{
    QFETCH(QByteArray, begins);
    QFETCH(QByteArray, kind);
    QFETCH(QStringList, findings);
    const auto path
        = qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/programs/" + QTest::currentDataTag() + ".sqlite";
    if (!QFileInfo::exists(path)) {
        QSKIP("shared/data/programs is not beside the source");
    }
    const auto trace = open_recording(path.toStdString());
    const auto report = make_report(trace, find_blocking(trace));
    const auto said = QByteArray::fromStdString(report.verdict.message);
    QVERIFY2(said.startsWith(begins), said.constData());
    QVERIFY2(QString::fromUtf8(said).size() <= 80, said.constData());
    QCOMPARE(QByteArray::fromStdString(std::string(name_of(report.verdict.kind))), kind);
    QStringList found;
    Ns sum = 0;
    for (const auto& finding : report.findings) {
        sum += finding.cost;
        QVERIFY2(!finding.is_once || finding.cost * 100 >= report.wall, std::string(finding.title).c_str());
        if (!finding.is_once) {
            found.push_back(QString::fromStdString(finding.rule));
        }
    }
    QCOMPARE(found, findings);
    QVERIFY(sum <= report.wall);
}

QTEST_GUILESS_MAIN(tst_ProgramVerdicts)
#include "tst_program_verdicts.moc"
