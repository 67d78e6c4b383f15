// SPDX-License-Identifier: MIT
// The probe under a real CUDA program on a real GPU: every operation once, with its call and a time after it.
#include "probes/inject/environment.h"
#include "tests/probes/cupti/spooled.h"
#include "tests/probes/inject/gpu_program.h"

#include <map>
#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <set>

using namespace lanes;

class tst_ProbeGpu : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void recordsEachOperationOnce_data();
    void recordsEachOperationOnce();
    void aFaultKeepsWhatCameBefore_data();
    void aFaultKeepsWhatCameBefore();

private:
    Spooled record(const QString& word, const QMap<QString, QString>& variables = {});
    QTemporaryDir m_folder;
    int m_count = 0;
};

void tst_ProbeGpu::initTestCase()
{
    // In a process of its own: this one must stay free of CUDA.
    if (QProcess::execute(QCoreApplication::applicationFilePath(), {"--is-there-a-gpu"}) != 0) {
        QSKIP("no GPU here: SKIP ALL");
    }
}

Spooled tst_ProbeGpu::record(const QString& word, const QMap<QString, QString>& variables)
{
    const auto spool = m_folder.filePath(QString::number(++m_count) + ".spool").toStdString();
    const auto bin = qEnvironmentVariable("LANES_BUILD", QCoreApplication::applicationDirPath() + "/..") + "/bin";
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const auto& variable :
        probe_environment({.spool = spool, .probe = find_probe(bin.toStdString()), .cupti = ""})) {
        environment.insert(QString::fromStdString(variable.name), QString::fromStdString(variable.value));
    }
    environment.insert("LANES_PROBE_VERBOSE", "1");
    for (auto at = variables.begin(); at != variables.end(); ++at) {
        environment.insert(at.key(), at.value());
    }
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QCoreApplication::applicationFilePath(), {"--program", word});
    if (word == "kill") {
        process.waitForReadyRead(60'000);
        QTest::qWait(500);  // what was complete half a second before is kept
        process.kill();
        process.waitForFinished();
    } else if (!process.waitForFinished(60'000) || process.exitCode() != 0) {
        qWarning("the program failed");
    }
    return Spooled(spool);
}

void tst_ProbeGpu::recordsEachOperationOnce_data()
{
    QTest::addColumn<QString>("word");
    QTest::newRow("to the end") << "all";
    QTest::newRow("reset, then _exit") << "reset";
    QTest::newRow("kill -9") << "kill";
}

void tst_ProbeGpu::recordsEachOperationOnce()
{
    using namespace gpu_program;
    QFETCH(QString, word);
    const auto spooled = record(word);
    QCOMPARE(spooled.of<ErrorRecord>().size(), 0U);
    QCOMPARE(spooled.dropped(), 0U);
    QCOMPARE(spooled.of<KernelRecord>().size(), static_cast<std::size_t>(kernels));
    QCOMPARE(spooled.of<CopyRecord>().size(), static_cast<std::size_t>(copies));
    QCOMPARE(spooled.of<MemsetRecord>().size(), static_cast<std::size_t>(memsets));
    std::map<std::uint32_t, ApiCallRecord> calls;
    std::set<std::string> names;
    for (const auto& call : spooled.of<ApiCallRecord>()) {
        calls[call.correlation] = call;
        names.insert(spooled.text(call.name));
    }
    const auto check = [&](const OperationRecord& operation) {
        QVERIFY(calls.contains(operation.correlation));
        QVERIFY(operation.start >= calls[operation.correlation].start);
        QVERIFY(operation.end > operation.start);
    };
    for (const auto& kernel : spooled.of<KernelRecord>()) {
        check(kernel);
        QVERIFY(spooled.text(kernel.name).find("add_one") != std::string::npos);
        QCOMPARE(kernel.grid[0], 2U);
        QCOMPARE(kernel.block[0], 64U);
    }
    for (const auto& copy : spooled.of<CopyRecord>()) {
        check(copy);
        QCOMPARE(copy.bytes, copy_bytes);
        QCOMPARE(copy.copy, CopyKind::h2d);
        QCOMPARE(copy.source, MemoryKind::pinned);
        QCOMPARE(copy.async, 1);
    }
    for (const auto& memset : spooled.of<MemsetRecord>()) {
        check(memset);
    }
    QVERIFY(names.contains("cudaLaunchKernel"));
    QVERIFY(!names.contains("cudaGetLastError"));
    std::map<SyncRecord::Type, int> syncs;
    for (const auto& sync : spooled.of<SyncRecord>()) {
        ++syncs[sync.type];
    }
    QCOMPARE(syncs[SyncRecord::stream_wait_event], waits);
    QVERIFY(syncs[SyncRecord::stream_sync] >= 1 && syncs[SyncRecord::context_sync] >= 1);
    QCOMPARE(spooled.of<EventRecord>().size(), static_cast<std::size_t>(waits));
    int begun = 0;
    for (const auto& range : spooled.of<RangeRecord>()) {
        begun += range.edge == RangeRecord::begin && spooled.text(range.name) == "batch" ? 1 : 0;
    }
    QCOMPARE(begun, ranges);
    QCOMPARE(spooled.of<DeviceRecord>().empty(), false);
    QVERIFY(spooled.of<DeviceRecord>()[0].multiprocessors > 0);
    std::map<std::uint32_t, StreamRecord::Flag> streams;
    for (const auto& stream : spooled.of<StreamRecord>()) {
        streams[stream.stream] = stream.flag;
    }
    QCOMPARE(streams[spooled.of<CopyRecord>()[0].stream], StreamRecord::non_blocking);
    QCOMPARE(streams[spooled.of<MemsetRecord>()[0].stream], StreamRecord::blocking);
}

void tst_ProbeGpu::aFaultKeepsWhatCameBefore_data()
{
    QTest::addColumn<QString>("pinned");
    QTest::newRow("GPU times in device memory") << "0";
    QTest::newRow("GPU times in pinned host memory") << "1";
}

void tst_ProbeGpu::aFaultKeepsWhatCameBefore()
{
    QFETCH(QString, pinned);
    const auto spooled = record("fault", {{"LANES_CUPTI_HOST_PINNED", pinned}});
    // All of it was synchronised before the fault.
    std::size_t timed = 0;
    for (const auto& kernel : spooled.of<KernelRecord>()) {
        timed += kernel.end > 0 && spooled.text(kernel.name).find("add_one") != std::string::npos ? 1 : 0;
    }
    qInfo("%zu of %d kernels before the fault have a time", timed, gpu_program::kernels);
    bool saw_error = false;
    std::size_t launches = 0;
    for (const auto& call : spooled.of<ApiCallRecord>()) {
        saw_error = saw_error || call.result == 700;
        launches += spooled.text(call.name) == "cudaLaunchKernel" ? 1 : 0;
    }
    QVERIFY2(saw_error, "the call that reported the fault");
    QCOMPARE(launches, static_cast<std::size_t>(gpu_program::kernels) + 1);
}

int main(int count, char** words)
{
    const std::string word = count > 1 ? words[1] : "";
    if (word == "--is-there-a-gpu") {
        return gpu_program::is_there_a_gpu() ? 0 : 1;
    }
    if (word == "--program" && count > 2) {
        return gpu_program::run(words[2]);
    }
    QCoreApplication application(count, words);
    tst_ProbeGpu test;
    return QTest::qExec(&test, count, words);
}

#include "tst_probe_gpu.moc"
