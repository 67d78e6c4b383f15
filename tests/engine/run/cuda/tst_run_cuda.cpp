// SPDX-License-Identifier: MIT
// `lanes run --device cuda` on a real GPU: the catalogue's workloads, a fault, a kill.
#include "engine/store/recording_file.h"
#include "engine/workload/catalogue.h"
#include "tests/engine/run/cuda/lanes_program.h"

#include <csignal>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QTextStream>

using namespace lanes;

namespace {

void write_file(const QString& path, const char* text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

/// The first child of a process, 0 if none yet.
pid_t child_of(qint64 process)
{
    QFile file(QString("/proc/%1/task/%1/children").arg(process));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(0).toInt() : 0;
}

constexpr auto faulting = R"(title: {en: A kernel that faults}
buffers:
  x: {on: gpu 0, bytes: 1 MiB}
streams:
  s: {gpu: 0}
threads:
  main:
    - repeat: 5
      as: i
      do:
        - kernel: {name: sound, stream: s, time: 100 us, blocks: 8, writes: x}
        - sync: {stream: s}
    - fault: {stream: s}
    - sync: device
)";

constexpr auto endless = R"(title: {en: A long run}
buffers:
  x: {on: gpu 0, bytes: 1 MiB}
streams:
  s: {gpu: 0}
threads:
  main:
    - repeat: 20000
      as: i
      do:
        - kernel: {name: sound, stream: s, time: 1 ms, blocks: 8, writes: x}
        - sync: {stream: s}
)";

}  // namespace

class tst_RunCuda : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void countsMatchTheProgram_data();
    void countsMatchTheProgram();
    void faultIsNamedAndKeepsTheCallsUpToIt();
    void repeatKeepsTheMedian();
    void interruptedRepeatKeepsWholeRuns();
    void killedChildLeavesARecording();
    void killedRunLeavesASpool();
    void tooMuchMemoryIsExitStatus2();

private:
    QString path(const char* name) const { return m_folder.filePath(name); }
    /// Starts the endless run and waits until records are on the disk.
    void start_endless(QProcess& process, const QString& recording);

    Machine m_machine;
    QTemporaryDir m_folder;
};

void tst_RunCuda::initTestCase()
{
    m_machine = this_machine();
    if (!m_machine.can_record) {
        QSKIP("no GPU that can be recorded here");
    }
}

void tst_RunCuda::countsMatchTheProgram_data()
{
    QTest::addColumn<QString>("workload");
    QTest::addColumn<QString>("variant");
    for (const auto& name : catalogue_names()) {
        for (const auto& variant : find_workload(name).variants) {
            QTest::addRow("%s.%s", name.c_str(), variant.name.c_str())
                << QString::fromStdString(name) << QString::fromStdString(variant.name);
        }
    }
}

void tst_RunCuda::countsMatchTheProgram()
{
    QFETCH(QString, workload);
    QFETCH(QString, variant);
    if (find_workload(workload.toStdString()).gpus > m_machine.gpus) {
        QSKIP("needs more GPUs than there are here");
    }
    const auto program = compile(find_workload(workload.toStdString()), variant.toStdString());
    const bool reduces = std::any_of(program.threads.begin(), program.threads.end(), [](const auto& thread) {
        return std::any_of(thread.instructions.begin(), thread.instructions.end(),
            [](const auto& instruction) { return std::holds_alternative<CollectiveAction>(instruction.action); });
    });
    if (reduces && m_machine.nccl.isEmpty()) {
        QSKIP("needs NCCL");
    }
    const auto file = path("run.sqlite");
    const auto ended = run_lanes({"run", workload, "--variant", variant, "--device", "cuda", "-o", file});
    QVERIFY2(ended.status == 0, ended.err);
    const auto counts = count(program);
    const auto seen = report_of(file)["counts"].toObject();
    if (program.expected_error.empty()) {  // operations that a fault ends have no time, and count as dropped
        QCOMPARE(seen["dropped"].toInteger(), 0);
    }
    if (counts && program.expected_error.empty()) {
        QCOMPARE(seen["kernels"].toInteger(), static_cast<qint64>(counts->kernels));
        QCOMPARE(seen["copies"].toInteger(), static_cast<qint64>(counts->copies));
        QCOMPARE(seen["memsets"].toInteger(), static_cast<qint64>(counts->memsets));
        QCOMPARE(seen["syncs"].toInteger(), static_cast<qint64>(counts->syncs));
        const auto waits = static_cast<qint64>(counts->waits);
        QVERIFY(reduces ? seen["waits"].toInteger() >= waits : seen["waits"].toInteger() == waits);  // NCCL has its own
        const auto ranges = static_cast<qint64>(counts->ranges);
        QVERIFY(reduces ? seen["ranges"].toInteger() >= ranges : seen["ranges"].toInteger() == ranges);
    }
    const auto trace = open_recording(file.toStdString());
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const Row call = trace.operations.call[row];
        QVERIFY(call != no_row);
        QVERIFY(trace.operations.start[row] >= trace.calls.start[call]);
        QVERIFY(trace.operations.end[row] > trace.operations.start[row]);
        QVERIFY(trace.streams[trace.operations.stream[row]].name != 0);
    }
    for (const auto& read : trace.reads) {
        QCOMPARE(read.wrong_bytes > 0, read.expect_stale);
    }
}

void tst_RunCuda::faultIsNamedAndKeepsTheCallsUpToIt()
{
    write_file(path("fault.yaml"), faulting);
    const auto ended = run_lanes({"run", path("fault.yaml"), "--device", "cuda", "-o", path("fault.sqlite")});
    QCOMPARE(ended.status, 1);
    QVERIFY2(ended.err.contains("cudaError"), ended.err);
    QVERIFY2(ended.err.contains("fault.yaml:1"), ended.err);  // line 12, 13 or 14
    const auto trace = open_recording(path("fault.sqlite").toStdString());
    int launches = 0;
    for (Row row = 0; row < trace.calls.size(); ++row) {
        launches += trace.text(trace.calls.name[row]) == "cudaLaunchKernel" ? 1 : 0;
    }
    QCOMPARE(launches, 6);
    QCOMPARE(trace.errors.size(), 1U);
    QVERIFY(trace.meta.contains("error"));
    QVERIFY(trace.meta.contains("gpu_end_ns"));
}

void tst_RunCuda::repeatKeepsTheMedian()
{
    const auto file = path("median.sqlite");
    const auto ended = run_lanes(
        {"run", "two-streams", "--variant", "two-small", "--repeat", "4", "--device", "cuda", "--json", "-o", file});
    QVERIFY2(ended.status == 0, ended.err);
    const auto printed = QJsonDocument::fromJson(ended.out).object();
    QCOMPARE(printed["wall_ns"].toArray().size(), 1);
    const auto report = report_of(file);
    const auto repeat = report["repeat"].toObject();
    QCOMPARE(repeat["runs"].toInt(), 4);
    const auto wall = repeat["wall_ns"].toArray();
    const auto beside = repeat["unrecorded_wall_ns"].toArray();
    QCOMPARE(wall[1].toInteger(), report["wall_ns"].toInteger());
    QCOMPARE(wall[1].toInteger(), printed["wall_ns"].toArray()[0].toInteger());
    QVERIFY(wall[0].toInteger() <= wall[1].toInteger() && wall[1].toInteger() <= wall[2].toInteger());
    QCOMPARE(beside.size(), 3);
    QVERIFY(beside[1].toInteger() > wall[1].toInteger() / 2 && beside[1].toInteger() < wall[1].toInteger() * 2);
    // One run's records alone.
    const auto counts = count(compile(find_workload("two-streams"), "two-small"));
    QCOMPARE(report["counts"].toObject()["kernels"].toInteger(), static_cast<qint64>(counts->kernels));
    QCOMPARE(report["cpu"].toArray().size(), 1);
}

/// The median of the earlier whole runs is kept.
void tst_RunCuda::interruptedRepeatKeepsWholeRuns()
{
    write_file(path("four.yaml"), R"(title: {en: Two seconds}
buffers:
  x: {on: gpu 0, bytes: 1 MiB}
streams:
  s: {gpu: 0}
threads:
  main:
    - repeat: 2000
      as: i
      do:
        - kernel: {name: sound, stream: s, time: 1 ms, blocks: 8, writes: x}
        - sync: {stream: s}
)");
    QProcess process;
    process.start(program(),
        {"run", path("four.yaml"), "--device", "cuda", "--repeat", "4", "--progress", "json", "-o",
            path("four.sqlite")});
    double fraction = 0;
    while (fraction < 0.42 && process.waitForReadyRead(60'000)) {  // the recorded runs are 0.18 to 0.54 of it
        while (process.canReadLine()) {
            fraction = QJsonDocument::fromJson(process.readLine()).object()["fraction"].toDouble();
        }
    }
    QVERIFY(fraction >= 0.42);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 130);
    const auto report = report_of(path("four.sqlite"));
    QCOMPARE(report["complete"], QJsonValue(true));
    QCOMPARE(report["counts"].toObject()["kernels"].toInt(), 2000);
    const auto repeat = report["repeat"].toObject();
    QVERIFY(repeat["runs"].toInt() >= 2 && repeat["runs"].toInt() <= 3);
    QVERIFY(repeat["unrecorded_wall_ns"].isNull());
    QVERIFY(!QFile::exists(path("four.spool")));
}

void tst_RunCuda::start_endless(QProcess& process, const QString& recording)
{
    write_file(path("endless.yaml"), endless);
    process.start(program(), {"run", path("endless.yaml"), "--device", "cuda", "--progress", "json", "-o", recording});
    QByteArray lines;
    while (!lines.contains("running") && process.waitForReadyRead(60'000)) {
        lines += process.readAll();
    }
    QVERIFY2(lines.contains("running"), lines);
    QTest::qWait(3000);
}

void tst_RunCuda::killedChildLeavesARecording()
{
    QProcess process;
    start_endless(process, path("child.sqlite"));
    const pid_t child = child_of(process.processId());
    QVERIFY(child > 0);
    ::kill(child, SIGKILL);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 1);
    const auto trace = open_recording(path("child.sqlite").toStdString());
    QVERIFY(trace.operations.size() > 1000);  // of about 3 s at 1 ms each
    QVERIFY(trace.meta.at("error").find("signal 9") != std::string::npos);
}

void tst_RunCuda::killedRunLeavesASpool()
{
    QProcess process;
    start_endless(process, path("run-killed.sqlite"));
    process.kill();
    QVERIFY(process.waitForFinished(60'000));
    QTest::qWait(2000);  // the kernel signals the child, which writes what it has
    const auto ended = run_lanes({"convert", path("run-killed.spool"), path("recovered.sqlite")});
    QVERIFY2(ended.status == 0, ended.err);
    const auto trace = open_recording(path("recovered.sqlite").toStdString());
    QVERIFY(trace.operations.size() > 1000);
}

void tst_RunCuda::tooMuchMemoryIsExitStatus2()
{
    write_file(path("large.yaml"), R"(title: {en: Too large}
buffers:
  x: {on: gpu 0, bytes: 64 GiB, count: 100}
streams:
  s: {gpu: 0}
threads:
  main:
    - memset: {to: x.0, value: 0, stream: s}
)");
    const auto ended = run_lanes({"run", path("large.yaml"), "--device", "cuda", "-o", path("large.sqlite")});
    QVERIFY2(ended.status == 2, ended.err);
    QVERIFY2(ended.err.contains("GPU memory"), ended.err);
    QVERIFY(!QFile::exists(path("large.sqlite")) && !QFile::exists(path("large.spool")));
}

QTEST_GUILESS_MAIN(tst_RunCuda)
#include "tst_run_cuda.moc"
