// SPDX-License-Identifier: MIT
// What CUDA promises about order, on the model device.
#include "program_builder.h"
#include "records.h"

#include <map>
#include <QTest>

using namespace lanes;
using namespace lanes::tests;
using Kind = StreamSpec::Kind;

namespace {

ModelRun run(const ProgramBuilder& builder)
{
    return ModelRun(builder.program);
}

}  // namespace

class tst_ModelOrder : public QObject {
    Q_OBJECT

private slots:
    void oneStreamIsFirstInFirstOut();
    void legacyRule_data();
    void legacyRule();
    void eventWaits();
    void waitTakesTheLastRecordAtItsCall();
    void waitWithoutRecordIsNothing();
    void synchronisations();
    void sameDirectionOneAfterAnother();
    void smallKernelsRunTogether();
    void fullGridKernelsDoNot();
    void priorityGoesFirst();
    void memoryKernelsShareTheBandwidth();
    void graphKeepsItsBranchesApart();
    void graphCapturedAgainIsAnother();
    void recordsSayWhoAndWhere();
};

void tst_ModelOrder::oneStreamIsFirstInFirstOut()
{
    ProgramBuilder b;
    const auto s = b.stream();
    const auto host = b.buffer(MemoryKind::pinned, mib);
    const auto gpu = b.buffer(MemoryKind::device, mib);
    for (int k = 0; k < 20; ++k) {
        b.kernel(s, 10 * us, 4);
        b.copy(host, gpu, s);
        b.memset(gpu, s, 1);
    }
    const auto records = run(b);
    std::map<std::uint32_t, std::pair<Ns, Ns>> by_call;
    const auto take = [&](const auto& all) {
        for (const auto& record : all) {
            by_call[record.correlation] = {record.start, record.end};
        }
    };
    take(records.all<KernelRecord>());
    take(records.all<CopyRecord>());
    take(records.all<MemsetRecord>());
    QCOMPARE(by_call.size(), 60U);
    Ns end = 0;
    for (const auto& [call, span] : by_call) {
        QVERIFY(span.first > end);  // there is always a gap
        QVERIFY(span.second > span.first);
        end = span.second;
    }
}

void tst_ModelOrder::legacyRule_data()
{
    QTest::addColumn<Kind>("first");
    QTest::addColumn<Kind>("second");
    QTest::addColumn<bool>("waits");
    QTest::newRow("blocking, legacy") << Kind::blocking << Kind::legacy << true;
    QTest::newRow("legacy, blocking") << Kind::legacy << Kind::blocking << true;
    QTest::newRow("per-thread, legacy") << Kind::per_thread << Kind::legacy << true;
    QTest::newRow("legacy, per-thread") << Kind::legacy << Kind::per_thread << true;
    QTest::newRow("non-blocking, legacy") << Kind::non_blocking << Kind::legacy << false;
    QTest::newRow("legacy, non-blocking") << Kind::legacy << Kind::non_blocking << false;
    QTest::newRow("blocking, blocking") << Kind::blocking << Kind::blocking << false;
    QTest::newRow("blocking, per-thread") << Kind::blocking << Kind::per_thread << false;
}

void tst_ModelOrder::legacyRule()
{
    QFETCH(Kind, first);
    QFETCH(Kind, second);
    QFETCH(bool, waits);
    ProgramBuilder b;
    const auto s1 = b.stream(first);
    const auto s2 = b.stream(second);
    b.kernel(s1, ms, 1);
    b.kernel(s2, ms, 1);
    const auto kernels = run(b).all<KernelRecord>();
    QCOMPARE(kernels.size(), 2U);
    const bool apart = kernels[1].start >= kernels[0].end;
    QCOMPARE(apart, waits);
}

void tst_ModelOrder::eventWaits()
{
    ProgramBuilder b;
    const auto s1 = b.stream();
    const auto s2 = b.stream();
    const auto e = b.event();
    b.kernel(s1, ms, 1);
    b.step(RecordAction {e, s1});
    b.step(WaitAction {e, s2});
    b.kernel(s2, ms, 1);
    b.kernel(s1, ms, 1);  // after the record: s2 does not wait for it
    const auto records = run(b);
    auto kernels = records.all<KernelRecord>();
    std::sort(kernels.begin(), kernels.end(), [](auto& x, auto& y) { return x.correlation < y.correlation; });
    QVERIFY(kernels[1].start > kernels[0].end);
    QVERIFY(kernels[1].start < kernels[0].end + 10 * us);
    QVERIFY(kernels[2].start < kernels[1].end);

    const auto events = records.all<EventRecord>();
    const auto syncs = records.all<SyncRecord>();
    QCOMPARE(events.size(), 1U);
    QCOMPARE(syncs.size(), 1U);
    QCOMPARE(syncs[0].type, SyncRecord::stream_wait_event);
    QCOMPARE(syncs[0].event_sync, events[0].event_sync);
    QCOMPARE(events[0].device_time, kernels[0].end);
    QCOMPARE(records.calls("cudaEventRecord")[0].correlation, events[0].correlation);
    QCOMPARE(records.calls("cudaStreamWaitEvent")[0].correlation, syncs[0].correlation);
}

void tst_ModelOrder::waitTakesTheLastRecordAtItsCall()
{
    ProgramBuilder b;
    const auto s1 = b.stream();
    const auto s2 = b.stream();
    const auto e = b.event();
    b.kernel(s1, ms, 1);
    b.step(RecordAction {e, s1});
    b.kernel(s1, ms, 1);
    b.step(RecordAction {e, s1});
    b.step(WaitAction {e, s2});
    b.kernel(s2, ms, 1);
    b.kernel(s1, ms, 1);
    b.step(RecordAction {e, s1});  // after the wait: it does not count
    auto kernels = run(b).all<KernelRecord>();
    std::sort(kernels.begin(), kernels.end(), [](auto& x, auto& y) { return x.correlation < y.correlation; });
    QVERIFY(kernels[2].start > kernels[1].end);
    QVERIFY(kernels[2].start < kernels[3].end);
}

void tst_ModelOrder::waitWithoutRecordIsNothing()
{
    ProgramBuilder b;
    const auto s1 = b.stream();
    const auto s2 = b.stream();
    b.kernel(s1, ms, 1);
    b.step(WaitAction {b.event(), s2});
    b.kernel(s2, ms, 1);
    const auto kernels = run(b).all<KernelRecord>();
    QVERIFY(kernels[1].start < kernels[0].end);
}

void tst_ModelOrder::synchronisations()
{
    ProgramBuilder b;
    const auto s1 = b.stream();
    const auto s2 = b.stream();
    const auto e = b.event();
    b.kernel(s1, ms, 1);
    b.step(RecordAction {e, s1});
    b.kernel(s1, 2 * ms, 1);
    b.kernel(s2, 5 * ms, 1);
    b.step(SyncEventAction {e});
    b.step(SyncStreamAction {s1});
    b.step(SyncDeviceAction {0});
    b.step(SyncDeviceAction {0});  // nothing left to wait for
    const auto records = run(b);
    auto kernels = records.all<KernelRecord>();
    std::sort(kernels.begin(), kernels.end(), [](auto& x, auto& y) { return x.correlation < y.correlation; });
    const auto syncs = records.all<SyncRecord>();
    QCOMPARE(syncs.size(), 4U);
    const std::vector<Ns> ends {kernels[0].end, kernels[1].end, kernels[2].end};
    const std::vector<SyncRecord::Type> types {SyncRecord::event, SyncRecord::stream_sync, SyncRecord::context_sync};
    for (std::size_t k = 0; k < 3; ++k) {
        QCOMPARE(syncs[k].type, types[k]);
        QVERIFY(syncs[k].end >= ends[k]);
        QVERIFY(syncs[k].end < ends[k] + 10 * us);
    }
    QVERIFY(syncs[3].end - syncs[3].start < 10 * us);
    QCOMPARE(syncs[0].event_sync, records.all<EventRecord>()[0].event_sync);
    QCOMPARE(syncs[1].stream, kernels[0].stream);
    QCOMPARE(syncs[2].stream, no_id);
    for (const auto* name : {"cudaEventSynchronize", "cudaStreamSynchronize"}) {
        QCOMPARE(records.calls(name).size(), 1U);
    }
    QCOMPARE(records.calls("cudaDeviceSynchronize").size(), 2U);
}

void tst_ModelOrder::sameDirectionOneAfterAnother()
{
    ProgramBuilder b;
    const auto host = b.buffer(MemoryKind::pinned, 16 * mib);
    for (int k = 0; k < 4; ++k) {
        b.copy(host, b.buffer(MemoryKind::device, 16 * mib), b.stream());
    }
    auto copies = run(b).all<CopyRecord>();
    QCOMPARE(copies.size(), 4U);
    std::sort(copies.begin(), copies.end(), [](auto& x, auto& y) { return x.start < y.start; });
    for (std::size_t k = 1; k < copies.size(); ++k) {
        QVERIFY(copies[k].start >= copies[k - 1].end);
    }
}

void tst_ModelOrder::smallKernelsRunTogether()
{
    ProgramBuilder b;
    for (int k = 0; k < 4; ++k) {
        b.kernel(b.stream(), ms, 32);  // 128 of 132 multiprocessors
    }
    const auto kernels = run(b).all<KernelRecord>();
    for (const auto& kernel : kernels) {
        QCOMPARE(kernel.end - kernel.start, ms);
        QVERIFY(kernel.start < 100 * us);
    }
}

void tst_ModelOrder::fullGridKernelsDoNot()
{
    ProgramBuilder b;
    b.kernel(b.stream(), ms);
    b.kernel(b.stream(), ms);
    b.kernel(b.stream(), ms, 1);
    auto kernels = run(b).all<KernelRecord>();
    std::sort(kernels.begin(), kernels.end(), [](auto& x, auto& y) { return x.correlation < y.correlation; });
    QCOMPARE(kernels[1].start, kernels[0].end);
    QVERIFY(kernels[2].start >= kernels[0].end);  // not one slot was free
    QCOMPARE(kernels[0].grid[0], 1056U);
    QCOMPARE(kernels[0].block[0], 256U);
}

void tst_ModelOrder::priorityGoesFirst()
{
    ProgramBuilder b;
    const auto first = b.stream();
    const auto normal = b.stream();
    const auto high = b.stream(Kind::non_blocking, 0, -1);
    b.kernel(first, ms);
    b.kernel(normal, ms);
    b.kernel(high, ms);
    auto kernels = run(b).all<KernelRecord>();
    std::sort(kernels.begin(), kernels.end(), [](auto& x, auto& y) { return x.correlation < y.correlation; });
    QVERIFY(kernels[0].start < kernels[2].start);  // what runs is not pushed aside
    QVERIFY(kernels[2].end <= kernels[1].start);
}

void tst_ModelOrder::memoryKernelsShareTheBandwidth()
{
    ProgramBuilder b;
    b.kernel(b.stream(), ms, 264, KernelWork::memory);
    b.kernel(b.stream(), ms, 264, KernelWork::memory);
    const auto records = run(b);
    for (const auto& kernel : records.all<KernelRecord>()) {
        QVERIFY(kernel.end - kernel.start > 19 * ms / 10);
        QVERIFY(kernel.end - kernel.start < 21 * ms / 10);
    }
}

void tst_ModelOrder::graphKeepsItsBranchesApart()
{
    ProgramBuilder b;
    const auto s1 = b.stream();
    const auto s2 = b.stream();
    const auto g = b.graph();
    const auto fork = b.event();
    const auto joined = b.event();
    b.step(CaptureBeginAction {g, s1});
    b.kernel(s1, 100 * us, 8);
    b.step(RecordAction {fork, s1});
    b.step(WaitAction {fork, s2});
    b.kernel(s1, ms, 8);
    b.kernel(s2, ms, 8);
    b.step(RecordAction {joined, s2});
    b.step(WaitAction {joined, s1});
    b.kernel(s1, 100 * us, 8);
    b.step(CaptureEndAction {g, s1});
    b.step(LaunchAction {g, s1});
    b.step(LaunchAction {g, s1});
    b.kernel(s1, 100 * us, 8);
    b.step(SyncStreamAction {s1});
    const auto records = run(b);
    auto kernels = records.all<KernelRecord>();
    QCOMPARE(kernels.size(), 9U);
    const auto launches = records.calls("cudaGraphLaunch");
    QCOMPARE(launches.size(), 2U);
    std::sort(kernels.begin(), kernels.end(),
        [](auto& x, auto& y) { return std::tie(x.correlation, x.graph_node) < std::tie(y.correlation, y.graph_node); });
    for (std::size_t k = 0; k < 2; ++k) {
        const auto* node = &kernels[4 * k];
        for (std::uint32_t n = 0; n < 4; ++n) {
            QCOMPARE(node[n].correlation, launches[k].correlation);
            QCOMPARE(node[n].graph_node, n + 1);
        }
        QVERIFY(node[1].start >= node[0].end && node[2].start >= node[0].end);
        QVERIFY(node[1].start < node[2].end && node[2].start < node[1].end);  // the branches run together
        QVERIFY(node[3].start >= std::max(node[1].end, node[2].end));
    }
    QVERIFY(kernels[4].start >= kernels[3].end);
    QVERIFY(kernels[8].start >= kernels[7].end);
    QCOMPARE(kernels[8].graph_node, 0U);
    QVERIFY(records.calls("cudaStreamSynchronize")[0].end >= kernels[8].end);
}

// What was launched before runs as it was captured then, also if it has not begun when it is captured again.
void tst_ModelOrder::graphCapturedAgainIsAnother()
{
    ProgramBuilder b;
    const auto s = b.stream();
    const auto g = b.graph();
    for (const int kernels : {3, 1, 2}) {
        b.step(CaptureBeginAction {g, s});
        for (int k = 0; k < kernels; ++k) {
            b.kernel(s, ms / kernels, 8);
        }
        b.step(CaptureEndAction {g, s});
        b.step(LaunchAction {g, s});
        b.step(LaunchAction {g, s});
    }
    b.step(SyncStreamAction {s});
    const auto records = run(b);
    const auto launches = records.calls("cudaGraphLaunch");
    QCOMPARE(launches.size(), 6U);
    std::map<std::uint32_t, std::vector<Ns>> times;
    for (const auto& kernel : records.all<KernelRecord>()) {
        times[kernel.correlation].push_back(kernel.end - kernel.start);
    }
    const std::size_t expected[] {3, 3, 1, 1, 2, 2};
    for (std::size_t launch = 0; launch < 6; ++launch) {
        const auto& found = times[launches[launch].correlation];
        QCOMPARE(found.size(), expected[launch]);
        for (const Ns time : found) {
            const auto alone = static_cast<Ns>(ms / static_cast<Ns>(expected[launch]));
            QVERIFY(time > alone * 9 / 10 && time < alone * 11 / 10);
        }
    }
}

void tst_ModelOrder::recordsSayWhoAndWhere()
{
    ProgramBuilder b;
    const auto s = b.stream();
    const auto second = b.stream(Kind::blocking);
    b.program.gpus = 1;
    const auto host = b.buffer(MemoryKind::pinned, mib);
    const auto gpu = b.buffer(MemoryKind::device, mib);
    b.step(RangeBeginAction {"outer"});
    b.copy(host, gpu, s, true);
    b.step(RangeEndAction {});
    b.kernel(second, 10 * us, 3);
    const auto records = run(b);

    const auto devices = records.all<DeviceRecord>();
    QCOMPARE(devices.size(), 1U);
    QVERIFY(records.text(devices[0].name).find("Model") != std::string::npos);
    QCOMPARE(records.all<ContextRecord>()[0].null_stream, 7U);
    const auto streams = records.all<StreamRecord>();
    QCOMPARE(streams.size(), 2U);
    QCOMPARE(streams[0].stream, 13U);
    QCOMPARE(streams[1].stream, 14U);
    QCOMPARE(records.text(streams[0].name), std::string("s0"));
    QCOMPARE(streams[0].flag, StreamRecord::non_blocking);
    QCOMPARE(streams[1].flag, StreamRecord::blocking);

    const auto copies = records.all<CopyRecord>();
    QCOMPARE(copies.size(), 1U);
    QCOMPARE(copies[0].copy, CopyKind::h2d);
    QCOMPARE(copies[0].source, MemoryKind::pinned);
    QCOMPARE(copies[0].target, MemoryKind::device);
    QCOMPARE(copies[0].bytes, mib);
    QCOMPARE(copies[0].async, 1);
    QCOMPARE(copies[0].stream, 13U);
    QCOMPARE(copies[0].correlation, records.calls("cudaMemcpyAsync")[0].correlation);
    const auto sync = records.calls("cudaStreamSynchronize");
    QCOMPARE(sync.size(), 1U);
    QVERIFY(sync[0].end >= copies[0].end);

    const auto kernels = records.all<KernelRecord>();
    QCOMPARE(records.text(kernels[0].name), std::string("k3"));
    QCOMPARE(kernels[0].grid[0], 3U);

    const auto ranges = records.all<RangeRecord>();
    QCOMPARE(ranges.size(), 2U);
    QCOMPARE(records.text(ranges[0].name), std::string("outer"));
    QCOMPARE(ranges[0].id, ranges[1].id);
    QVERIFY(ranges[1].time >= sync[0].end);

    const auto steps = records.all<StepRecord>();
    QCOMPARE(steps.size(), 4U);
    for (std::uint32_t k = 0; k < steps.size(); ++k) {
        QCOMPARE(steps[k].step, k);
        QCOMPARE(steps[k].instruction, k);
    }
    const auto windows = records.all<WindowRecord>();
    QCOMPARE(windows.size(), 2U);
    QCOMPARE(windows[0].time, 0);
    QVERIFY(windows[1].time >= records.calls("cudaLaunchKernel")[0].end);
    QCOMPARE(records.all<ThreadRecord>()[0].thread, 1U);
}

QTEST_GUILESS_MAIN(tst_ModelOrder)
#include "tst_model_order.moc"
