// SPDX-License-Identifier: MIT
// Launches that wait for their kernels, calls that a capture refuses, and where a fault is noticed.
#include "program_builder.h"
#include "records.h"

#include <QTest>

using namespace lanes;
using namespace lanes::tests;

namespace {

ApiCallRecord last_call(const ModelRun& run)
{
    const auto calls = run.all<ApiCallRecord>();
    return *std::ranges::max_element(calls, {}, &ApiCallRecord::start);
}

/// A kernel of 1 ms, a fault and two more launches, then a wait.
ProgramBuilder faulting()
{
    ProgramBuilder b;
    const auto s = b.stream();
    b.kernel(s, ms);
    b.step(FaultAction {s});
    b.kernel(s, ms);
    b.kernel(s, ms);
    b.step(SyncStreamAction {s});
    return b;
}

}  // namespace

class tst_ModelErrors : public QObject {
    Q_OBJECT

private slots:
    void launchesWaitForTheirKernels();
    void aFaultIsNoticedLate();
    void aLaunchThatWaitsNoticesItsFault();
    void aFaultTakesTimeToBeReported();
    void capturesRefuse_data();
    void capturesRefuse();
};

void tst_ModelErrors::launchesWaitForTheirKernels()
{
    for (const bool waits : {false, true}) {
        ProgramBuilder b;
        b.program.launch_blocking = waits;
        const auto a = b.stream();
        const auto c = b.stream();
        b.kernel(a, ms, 8);
        b.kernel(c, ms, 8);
        const ModelRun run(b.program);
        const auto kernels = run.all<KernelRecord>();
        const auto calls = run.calls("cudaLaunchKernel");
        QCOMPARE(kernels.size(), std::size_t {2});
        QCOMPARE(calls.size(), std::size_t {2});
        QCOMPARE(calls[0].end >= kernels[0].end, waits);
        QCOMPARE(kernels[1].start >= kernels[0].end, waits);
    }
}

void tst_ModelErrors::aFaultIsNoticedLate()
{
    const ModelRun run(faulting().program);
    QVERIFY(run.outcome.error && run.outcome.error->step == 4U);
    QCOMPARE(run.text(last_call(run).name), std::string("cudaStreamSynchronize"));
    QCOMPARE(last_call(run).result, 700);
    for (const auto& call : run.calls("cudaLaunchKernel")) {
        QCOMPARE(call.result, 0);
    }
}

void tst_ModelErrors::aLaunchThatWaitsNoticesItsFault()
{
    auto b = faulting();
    b.program.launch_blocking = true;
    const ModelRun run(b.program);
    QVERIFY(run.outcome.error && run.outcome.error->step == 1U);
    QCOMPARE(run.calls("cudaLaunchKernel").size(), std::size_t {2});
    QCOMPARE(last_call(run).result, 700);
}

// Until the fault is noticed, calls that need not wait succeed, whether or not another call already waits.
void tst_ModelErrors::aFaultTakesTimeToBeReported()
{
    const auto device = h100();
    QVERIFY(device.fault_report > 10 * ms);
    const ModelRun awaited(faulting().program);
    const Ns kernel_end = awaited.all<KernelRecord>().front().end;
    QVERIFY(std::abs(last_call(awaited).end - kernel_end - device.fault_report) < ms / 10);

    ProgramBuilder b;
    const auto s = b.stream();
    b.step(FaultAction {s});
    b.step(CpuAction {CpuAction::Kind::spin, 5 * ms, 0, {}, {}, {}});
    b.kernel(s, ms);
    b.step(SyncStreamAction {s});
    const ModelRun later(b.program);
    const auto launches = later.calls("cudaLaunchKernel");
    QCOMPARE(launches.size(), std::size_t {2});
    QCOMPARE(launches[1].result, 0);
    QCOMPARE(last_call(later).result, 700);
    QVERIFY(std::abs(last_call(later).end - device.fault_report) < ms / 10);
}

void tst_ModelErrors::capturesRefuse_data()
{
    QTest::addColumn<QString>("refused");
    for (const char* call : {"cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaMalloc", "cudaMallocHost",
             "cudaFree", "cudaFreeHost"}) {
        QTest::newRow(call) << call;
    }
}

void tst_ModelErrors::capturesRefuse()
{
    QFETCH(QString, refused);
    ProgramBuilder b;
    const auto s = b.stream();
    const auto graph = b.graph();
    const bool is_host = refused.endsWith("Host");
    const auto memory = b.buffer(is_host ? MemoryKind::pinned : MemoryKind::device, mib);
    b.program.buffers[memory].allocated_by_step = refused.startsWith("cudaMalloc");
    b.step(CaptureBeginAction {graph, s});
    b.kernel(s, ms);
    if (refused == "cudaStreamSynchronize") {
        b.step(SyncStreamAction {s});
    } else if (refused == "cudaDeviceSynchronize") {
        b.step(SyncDeviceAction {0});
    } else if (refused.startsWith("cudaMalloc")) {
        b.step(AllocAction {memory, no_id});
    } else {
        b.step(FreeAction {memory, no_id});
    }
    b.step(CaptureEndAction {graph, s});
    b.step(LaunchAction {graph, s});
    const ModelRun run(b.program);
    QVERIFY(run.outcome.error && run.outcome.error->step == 2U);
    QVERIFY(run.outcome.error->message.find(": cudaErrorStreamCaptureUnsupported:") != std::string::npos);
    const auto calls = run.calls(refused.toStdString());
    QCOMPARE(calls.size(), std::size_t {1});
    QCOMPARE(calls[0].result, 900);
    QCOMPARE(run.text(last_call(run).name), std::string("cudaStreamEndCapture"));
    QCOMPARE(last_call(run).result, 901);
    QVERIFY(run.all<KernelRecord>().empty());
}

QTEST_GUILESS_MAIN(tst_ModelErrors)
#include "tst_model_errors.moc"
