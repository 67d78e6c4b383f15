// SPDX-License-Identifier: MIT
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_records.h"
#include "tests/engine/trace/collector.h"
#include "tests/engine/trace/random_records.h"
#include "tests/engine/trace/trace_difference.h"
#include "tests/engine/trace/trace_fixture.h"
#include "tests/engine/trace/trace_soundness.h"

#include <algorithm>
#include <numeric>
#include <QTemporaryDir>
#include <QTest>
#include <random>

using namespace lanes;

namespace {

/// The first call of a correlation id by start, by a search through all.
const ApiCallRecord* call_of(const std::vector<ApiCallRecord>& calls, std::uint32_t process, std::uint32_t correlation)
{
    const ApiCallRecord* found = nullptr;
    for (const auto& call : calls) {
        if (correlation != 0 && call.process == process && call.correlation == correlation
            && (found == nullptr || call.start < found->start)) {
            found = &call;
        }
    }
    return found;
}

/// The outermost call around another, by a search through all: a driver call may begin at the same time.
const ApiCallRecord* outermost(const std::vector<ApiCallRecord>& calls, const ApiCallRecord* call)
{
    for (const auto& other : calls) {
        const bool begins_inside
            = other.start < call->start || (other.start == call->start && call->api == ApiCallRecord::driver);
        if (other.api == ApiCallRecord::runtime && other.process == call->process && other.thread == call->thread
            && begins_inside && call->start < other.end && call->end <= other.end) {
            return &other;
        }
    }
    return call;
}

constexpr Ns origin = 1'000'000'000;

}  // namespace

class tst_TraceBuilder : public QObject {
    Q_OBJECT

private slots:
    void joinsAsLookingAtAllDoes_data();
    void joinsAsLookingAtAllDoes();
    void anyOrderAndAnyWriterGiveOneTrace_data();
    void anyOrderAndAnyWriterGiveOneTrace();
    void joinsOperationsToTheirCalls();
    void keepsWhatBeganInTheWindow();
    void keepsOneRepetition();
    void driverCallsLieInRuntimeCalls();
    void callsBelongToTheStepBefore();
    void namesOfKernels();
    void namesOfKernelsOfGraphs();
    void kernelsThatAreAlikeShareTheirDetail();
    void ranges();
    void kindsOfSynchronisation();
    void countsWhatIsMissing();
    void cutsCopiesThatHoldLaterWork_data();
    void cutsCopiesThatHoldLaterWork();
    void leavesOutTimesOfZero();
    void earliestRecordIsZero();
    void laterDescriptionsCount();
    void unusualNumbers();
    void samplesOfClocks();
    void windowsAtTimesThatCannotBe();
};

void tst_TraceBuilder::joinsAsLookingAtAllDoes_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    QTest::addColumn<bool>("window");
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        QTest::addRow("seed %u", seed) << seed << (seed % 2 == 0);
    }
}

void tst_TraceBuilder::joinsAsLookingAtAllDoes()
{
    QFETCH(std::uint32_t, seed);
    QFETCH(bool, window);
    Collector collector;
    RandomRecords(seed).write(collector, 300, origin, window);
    TraceBuilder builder;
    RandomRecords(seed).write(builder, 300, origin, window);
    const auto trace = builder.finish(Source::cupti);
    QCOMPARE(QString::fromStdString(unsoundness(trace)), QString());

    const auto& calls = collector.records.of<ApiCallRecord>();
    const auto inside = [&](Ns time) { return !window || (time >= origin + 1'000'000 && time <= origin + 9'000'000); };
    QCOMPARE(trace.origin, window ? origin + 1'000'000 : trace.origin);
    QCOMPARE(static_cast<std::ptrdiff_t>(trace.calls.size()),
        std::count_if(calls.begin(), calls.end(), [&](const auto& call) { return inside(call.start); }));

    using Line = std::array<std::int64_t, 8>;
    std::vector<Line> expected;
    const auto expect = [&](const auto& r, int kind) {
        const auto* call = call_of(calls, r.process, r.correlation);
        if (inside(call != nullptr ? call->start : r.start)) {
            const auto* outer = call == nullptr ? nullptr : outermost(calls, call);
            const auto device = r.device + (r.process == RandomRecords::processes[1] ? 2 : 0);  // its GPUs are others
            expected.push_back({r.start - trace.origin, r.end - trace.origin, kind, r.process, device, r.context,
                r.stream, outer == nullptr ? -1 : outer->start - trace.origin});
        }
    };
    for (const auto& r : collector.records.of<KernelRecord>()) {
        expect(r, 0);
    }
    for (const auto& r : collector.records.of<CopyRecord>()) {
        expect(r, 1);
    }
    for (const auto& r : collector.records.of<MemsetRecord>()) {
        expect(r, 2);
    }
    std::vector<Line> found;
    const auto& o = trace.operations;
    for (Row row = 0; row < o.size(); ++row) {
        const auto& s = trace.streams[o.stream[row]];
        found.push_back({o.start[row], o.end[row],
            is_copy(o.kind[row])                       ? 1
                : o.kind[row] == OperationKind::memset ? 2
                                                       : 0,
            s.process, s.device, s.context, s.id, o.call[row] == no_row ? -1 : trace.calls.start[o.call[row]]});
    }
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    QVERIFY(found.size() > 50);
    QVERIFY(found == expected);

    for (Row row = 0; row < trace.calls.size(); ++row) {
        const auto& thread = trace.threads[trace.calls.thread[row]];
        std::uint32_t step = no_id;
        Ns begun = std::numeric_limits<Ns>::min();
        for (const auto& r : collector.records.of<StepRecord>()) {
            const auto start = r.start - trace.origin;
            if (r.process == thread.process && r.thread == thread.id && inside(r.start) && start >= begun
                && start <= trace.calls.start[row]) {
                begun = start;
                step = r.step;
            }
        }
        QCOMPARE(trace.calls.step[row], step);
    }
}

void tst_TraceBuilder::anyOrderAndAnyWriterGiveOneTrace_data()
{
    joinsAsLookingAtAllDoes_data();
}

void tst_TraceBuilder::anyOrderAndAnyWriterGiveOneTrace()
{
    QFETCH(std::uint32_t, seed);
    QFETCH(bool, window);
    const QTemporaryDir folder;
    const auto path = folder.filePath("shuffled.spool").toStdString();
    Collector collector;
    RandomRecords(seed).write(collector, 200, origin, window);
    std::shuffle(collector.in_order.begin(), collector.in_order.end(), std::mt19937(seed));
    {
        std::array<SpoolWriter, 3> writers;  // their texts have different numbers
        for (auto& writer : writers) {
            QVERIFY(writer.open(path));
        }
        for (std::size_t i = 0; i < collector.in_order.size(); ++i) {
            pass_on(collector, collector.in_order[i], writers[i * i % 3], AllRecords {});
        }
        for (const auto& [key, value] : collector.meta) {
            writers[1].write_meta(key, value);
        }
    }
    TraceBuilder shuffled;
    read_spool(path, [&](const SpoolChunk& chunk) { shuffled.take(chunk); });
    TraceBuilder plain;
    RandomRecords(seed).write(plain, 200, origin, window);
    QCOMPARE(
        QString::fromStdString(difference(plain.finish(Source::cupti), shuffled.finish(Source::cupti))), QString());
}

void tst_TraceBuilder::joinsOperationsToTheirCalls()
{
    TraceFixture f;
    const auto launch = f.call("cudaLaunchKernel", 0, 5);
    const auto copy = f.call("cudaMemcpyAsync", 6, 9);
    f.copy(CopyKind::h2d, 9, 30, 50, 4096, copy, MemoryKind::pageable, false);
    f.kernel(7, 10, 90, launch, "void ns::gemm<float>(float*)");
    f.kernel(8, 20, 60);
    const auto trace = f.finish();

    QCOMPARE(trace.operations.start, (std::vector<Ns> {10, 20, 30}));  // each on its stream
    QCOMPARE(trace.operations.call, (std::vector<Row> {0, no_row, 1}));
    QCOMPARE(trace.text(trace.operations.name[0]), "ns gemm");
    QCOMPARE(trace.text(trace.operations.name[2]), "Memcpy HtoD");
    QCOMPARE(trace.bytes_of(2), std::uint64_t {4096});
    QCOMPARE(trace.bytes_of(0), std::uint64_t {0});
    QVERIFY(trace.copies[0].async);  // the call's name says it
    QCOMPARE(trace.streams.size(), std::size_t {3});
    QCOMPARE(trace.duration, Ns {90});
}

void tst_TraceBuilder::keepsWhatBeganInTheWindow()
{
    TraceFixture f;
    const auto warm_up = f.call("cudaLaunchKernel", 90, 99);
    const auto first = f.call("cudaLaunchKernel", 100, 110);
    const auto last = f.call("cudaLaunchKernel", 200, 205);
    const auto after = f.call("cudaFree", 201, 300);
    f.kernel(7, 120, 130, warm_up);  // runs inside, but belongs to a call before
    f.kernel(7, 140, 150, first);
    f.kernel(7, 250, 260, last);  // runs after, but belongs to a call inside
    f.kernel(7, 270, 280);  // has no call and begins after
    f.kernel(7, 160, 170);  // has no call and begins inside
    f.range("set-up", 50, 150);
    f.range("batch", 100, 290);
    f.step(95, 1, 0);
    f.step(100, 2, 1);
    f.memory(MemoryRecord::release, 202, 4096, 1, after);
    f.name_stream(13, "unused");
    TraceBuilder& b = f.builder;
    b.write(WindowRecord {200, WindowRecord::finish});
    b.write(WindowRecord {150, WindowRecord::begin});  // the second thread's: the first begin and the last finish count
    b.write(WindowRecord {180, WindowRecord::finish});
    b.write(WindowRecord {100, WindowRecord::begin});
    const auto trace = f.finish();

    QCOMPARE(trace.calls.start, (std::vector<Ns> {100, 200}));
    QCOMPARE(trace.operations.start, (std::vector<Ns> {140, 160, 250}));
    QCOMPARE(trace.ranges.size(), std::size_t {1});
    QCOMPARE(trace.ranges[0].end, Ns {290});
    QCOMPARE(trace.steps.size(), std::size_t {1});
    QVERIFY(trace.memory.empty());
    QCOMPARE(trace.streams.size(), std::size_t {2});  // descriptions are always kept
}

/// Each repetition of a run has a window: what is outside of the requested one is left out, and so are its
/// threads.
void tst_TraceBuilder::keepsOneRepetition()
{
    for (const std::size_t repetition : {0U, 1U, 2U, 9U}) {
        TraceFixture f;
        TraceBuilder& b = f.builder;
        for (Ns begin = 1000; begin <= 3000; begin += 1000) {
            f.thread = 1;
            f.call("cudaMemset", begin - 50, begin - 40);
            f.kernel(7, begin + 20, begin + 90, f.call("cudaLaunchKernel", begin, begin + 10));
            f.thread = static_cast<std::uint32_t>(begin);  // only of this repetition
            f.call("cudaStreamSynchronize", begin + 15, begin + 95);
            b.write(ThreadRecord {f.process, f.thread, b.intern("worker"), 1});
            if (begin < 3000) {  // the last one was killed
                b.write(WindowRecord {begin + 100, WindowRecord::finish});
            }
            b.write(WindowRecord {begin, WindowRecord::begin});
            b.write(GraphNodeRecord {begin + 30, f.process, f.thread, 1, 1, 0, 0});
        }
        b.keep_repetition(repetition);
        const auto trace = f.finish();
        const auto begin = static_cast<Ns>(1000 + 1000 * std::min<std::size_t>(repetition, 2));
        QCOMPARE(trace.calls.start, (std::vector<Ns> {begin, begin + 15}));
        QCOMPARE(trace.operations.end, std::vector<Ns> {begin + 90});
        QCOMPARE(trace.duration, begin + 95);
        // A graph that was captured before may run in it, one that is captured after it not.
        QCOMPARE(trace.graph_nodes.size(), std::min<std::size_t>(repetition, 2) + 1);
        QVERIFY(std::any_of(trace.threads.begin(), trace.threads.end(),
            [&](const auto& thread) { return thread.id == static_cast<std::uint32_t>(begin); }));
    }
}

void tst_TraceBuilder::driverCallsLieInRuntimeCalls()
{
    TraceFixture f;
    const auto inner = f.call("cuLaunchKernel", 2, 8, ApiCallRecord::driver);
    f.call("cudaLaunchKernel", 1, 9);
    f.call("cuCtxGetCurrent", 3, 4, ApiCallRecord::driver);  // inside the driver call too
    f.call("cuMemAlloc", 9, 12, ApiCallRecord::driver);  // begins where the runtime call ends
    f.call("cudaMalloc", 20, 30);
    f.call("cuMemAlloc", 20, 30, ApiCallRecord::driver);  // the same times
    f.call("cuMemFree", 25, 35, ApiCallRecord::driver);  // sticks out
    f.call("cudaLaunchKernel", 40, 50);
    f.call("cudaEventRecord", 42, 44);  // a runtime call inside another
    f.thread = 2;
    f.call("cuLaunchKernel", 3, 5, ApiCallRecord::driver);  // another thread's
    f.kernel(7, 10, 20, inner);
    const auto trace = f.finish();
    std::map<std::string, Row> outers;
    for (Row row = 0; row < trace.calls.size(); ++row) {
        outers[std::string(trace.text(trace.calls.name[row])) + "@" + std::to_string(trace.calls.start[row])]
            = trace.calls.outer[row];
    }
    QCOMPARE(outers.at("cuLaunchKernel@2"), Row {0});
    QCOMPARE(outers.at("cuCtxGetCurrent@3"), Row {0});
    QCOMPARE(outers.at("cuMemAlloc@9"), no_row);
    QVERIFY(outers.at("cuMemAlloc@20") != no_row);
    QCOMPARE(outers.at("cudaMalloc@20"), no_row);
    QCOMPARE(outers.at("cuMemFree@25"), no_row);
    QVERIFY(outers.at("cudaEventRecord@42") != no_row);
    QCOMPARE(outers.at("cuLaunchKernel@3"), no_row);
    QCOMPARE(trace.operations.call[0], Row {0});  // the outermost one issued it
    QCOMPARE(trace.operations.correlation[0], inner);
    QCOMPARE(QString::fromStdString(unsoundness(trace)), QString());
}

void tst_TraceBuilder::callsBelongToTheStepBefore()
{
    TraceFixture f;
    f.call("before", 5, 6);
    f.step(10, 3, 0);
    f.call("at", 10, 11);
    f.call("in", 15, 16);
    f.step(20, 1, 1);
    f.thread = 2;
    f.call("other thread", 25, 26);
    f.thread = 1;
    f.call("next", 27, 28);
    const auto trace = f.finish();
    QCOMPARE(trace.calls.step, (std::vector<std::uint32_t> {no_id, 3, 3, no_id, 1}));
}

void tst_TraceBuilder::namesOfKernels()
{
    TraceFixture f;
    f.builder.write_meta(meta::step_names, "matmul\n\na\"b\n");
    const auto full = std::string("void lanes::fma_kernel<4>(float*)");
    f.step(0, 0, 0);
    f.kernel(7, 10, 11, f.call("cudaLaunchKernel", 1, 2), full);
    f.step(100, 1, 1);
    f.kernel(7, 110, 111, f.call("cudaLaunchKernel", 101, 102), full);
    f.step(200, 9, 2);
    f.kernel(7, 210, 211, f.call("cudaLaunchKernel", 201, 202), full);
    KernelRecord shown {};
    shown.start = 300;
    shown.end = 301;
    shown.process = f.process;
    shown.context = f.context;
    shown.stream = 7;
    shown.name = f.builder.intern(full);
    shown.shown_name = f.builder.intern("softmax");
    f.builder.write(shown);
    const auto trace = f.finish();
    QCOMPARE(trace.text(trace.operations.name[0]), "matmul");
    QCOMPARE(trace.text(trace.operations.name[1]), "fma_kernel");
    QCOMPARE(trace.text(trace.operations.name[2]), "fma_kernel");
    QCOMPARE(trace.text(trace.operations.name[3]), "softmax");
    QCOMPARE(trace.text(trace.kernels[0].full_name), full);
    QCOMPARE(trace.meta.at(meta::step_names), std::string("matmul\n\na\"b\n"));
}

void tst_TraceBuilder::namesOfKernelsOfGraphs()
{
    TraceFixture f;
    f.builder.write_meta(meta::step_names, "layer\nattention\tsoftmax\tattention\n");
    std::vector<std::uint32_t> nodes;
    const auto launch = [&](Ns start, std::uint32_t first_node) {
        const auto call = f.call("cudaGraphLaunch", start, start + 1);
        for (const std::uint32_t node : {2U, 0U, 1U}) {  // branches may start in any order
            KernelRecord record {};
            record.start = start + 10 + static_cast<Ns>(nodes.size());
            record.end = record.start + 1;
            record.process = 1;
            record.stream = 7;
            record.correlation = call;
            record.name = f.builder.intern("void lanes::plain()");
            record.graph_node = first_node + node;
            nodes.push_back(record.graph_node);
            f.builder.write(record);
        }
    };
    f.step(0, 1, 0);
    launch(1, 5);
    launch(100, 5);
    launch(200, 8);  // captured anew
    const auto trace = f.finish();
    QCOMPARE(trace.operations.size(), std::size_t {9});
    for (Row row = 0; row < 9; ++row) {
        const auto node = trace.kernels[trace.operations.detail[row]].graph_node;
        QCOMPARE(trace.text(trace.operations.name[row]), (node - 5) % 3 == 1 ? "softmax" : "attention");
    }
}

void tst_TraceBuilder::kernelsThatAreAlikeShareTheirDetail()
{
    TraceFixture f;
    for (Ns at = 0; at < 60; at += 10) {
        KernelRecord kernel {};
        kernel.start = at;
        kernel.end = at + 5;
        kernel.process = f.process;
        kernel.context = f.context;
        kernel.stream = at < 30 ? 7 : 8;
        kernel.name = f.builder.intern("gemm");
        kernel.grid[0] = at == 20 || at == 50 ? 4 : 1;
        f.builder.write(kernel);
    }
    const auto trace = f.finish();
    QCOMPARE(trace.kernels.size(), std::size_t {2});
    QCOMPARE(trace.operations.detail, (std::vector<Row> {0, 0, 1, 0, 0, 1}));
    QCOMPARE(trace.kernels[1].grid[0], 4U);
}

void tst_TraceBuilder::ranges()
{
    TraceFixture f;
    f.range("outer", 0, 100);
    f.range("inner", 0, 50);
    f.range("next", 50, 60);
    f.mark("mark", 55);
    f.range("leaf", 52, 58);
    f.range("crossing", 90, 120);  // start/end ranges need not nest
    f.builder.write(RangeRecord {70, 99, 1, 1, f.builder.intern("never ends"), 0, 0, RangeRecord::begin});
    f.builder.write(RangeRecord {75, 98, 1, 1, 0, 0, 0, RangeRecord::finish});  // never began
    f.thread = 2;
    f.range("alone", 10, 20);
    f.kernel(7, 0, 200);
    const auto trace = f.finish();
    std::map<std::string, Range> byName;
    for (const auto& range : trace.ranges) {
        byName[std::string(trace.text(range.name))] = range;
    }
    QCOMPARE(byName.size(), std::size_t {8});
    QCOMPARE(byName["outer"].depth, 0U);
    QCOMPARE(byName["inner"].depth, 1U);
    QCOMPARE(byName["next"].depth, 1U);
    QCOMPARE(byName["leaf"].depth, 2U);
    QCOMPARE(byName["mark"].depth, 3U);
    QVERIFY(byName["mark"].mark);
    QCOMPARE(byName["never ends"].end, Ns {200});
    QVERIFY(byName["never ends"].open && !byName["outer"].open);
    QCOMPARE(byName["crossing"].depth, 2U);
    QCOMPARE(byName["alone"].depth, 0U);
    QCOMPARE(QString::fromStdString(unsoundness(trace)), QString());
}

void tst_TraceBuilder::kindsOfSynchronisation()
{
    TraceFixture f;
    f.sync(SyncRecord::event, 1, 2, f.call("cudaDeviceSynchronize", 0, 3));
    f.sync(SyncRecord::stream_wait_event, 11, 12, f.call("cudaStreamSynchronize_ptsz", 10, 13), 7);
    f.sync(SyncRecord::event, 21, 22, f.call("cudaEventQuery", 20, 23), 7);
    f.sync(SyncRecord::unknown, 31, 32, f.call("cuStreamWaitEvent", 30, 33, ApiCallRecord::driver), 7, 1, 5);
    f.sync(SyncRecord::stream_sync, 41, 42, f.call("cudaMemcpy", 40, 43), 7);
    f.sync(SyncRecord::event, 51, 52, 0, 7);
    const auto trace = f.finish();
    std::vector<SyncRecord::Type> types;
    for (const auto& sync : trace.syncs) {
        types.push_back(sync.type);
    }
    QCOMPARE(types,
        (std::vector {SyncRecord::context_sync, SyncRecord::stream_sync, SyncRecord::unknown,
            SyncRecord::stream_wait_event, SyncRecord::stream_sync, SyncRecord::event}));
    QCOMPARE(trace.syncs[0].stream, no_row);
    QCOMPARE(trace.streams[trace.syncs[1].stream].id, 7U);
    QCOMPARE(trace.syncs[3].call, Row {3});
    QCOMPARE(trace.syncs[5].call, no_row);
}

void tst_TraceBuilder::countsWhatIsMissing()
{
    TraceBuilder b;
    const auto call = [&](Ns start, std::uint32_t id) {
        b.write(ApiCallRecord {start, start + 5, 1, 1, id, b.intern("cudaLaunchKernel"), ApiCallRecord::runtime, 0});
    };
    const auto kernel = [&](Ns start, Ns end, std::uint32_t id) {
        KernelRecord r {};
        r.start = start;
        r.end = end;
        r.process = 1;
        r.correlation = id;
        b.write(r);
    };
    call(1000, 1);
    call(2000, 2);
    kernel(999, 1500, 1);  // before its call: the clocks disagree
    kernel(2001, 2500, 2);
    kernel(0, 0, 2);  // not collected
    b.write(DroppedRecord {1, 3});
    b.write(DroppedRecord {2, 4});
    b.write(ClockRecord {1'000'000, 500});
    b.write(ClockRecord {1'000'107, 600});
    b.write(ClockRecord {1'000'198, 700});
    const auto trace = b.finish(Source::cupti);
    QCOMPARE(trace.operations.size(), std::size_t {2});
    QCOMPARE(trace.dropped, std::uint64_t {8});
    QCOMPARE(trace.meta.at(meta::dropped), std::string("8"));
    QCOMPARE(trace.meta.at(meta::untimed), std::string("1"));
    QCOMPARE(trace.meta.at(meta::clock_drift_ns), std::string("9"));
    QCOMPARE(trace.meta.at(meta::clock_violations), std::string("1"));
    QCOMPARE(trace.origin, Ns {999});
    const auto empty = b.finish(Source::model);  // the builder is empty afterwards
    QCOMPARE(empty.calls.size() + empty.operations.size() + empty.dropped, std::size_t {0});
    QCOMPARE(empty.meta.at(meta::source), std::string("model"));
}

void tst_TraceBuilder::cutsCopiesThatHoldLaterWork_data()
{
    QTest::addColumn<int>("kind");  // as OperationKind
    QTest::addColumn<int>("inside");  // later operations of its stream that begin and end in it
    QTest::addColumn<Ns>("end");  // of it; the next one begins at 10 us
    QTest::addColumn<bool>("is_cut");
    const auto row = [](const char* name, OperationKind kind, int inside, Ns end, bool is_cut) {
        QTest::newRow(name) << static_cast<int>(kind) << inside << end << is_cut;
    };
    constexpr Ns us = 1000;
    row("a copy as it should be", OperationKind::d2d, 0, 9 * us, false);
    row("a copy that reaches into the next one", OperationKind::h2d, 1, 900 * us, false);
    row("by what clocks may differ", OperationKind::h2d, 2, 60 * us, false);
    row("a copy that holds a graph's kernels", OperationKind::d2d, 2, 57'800 * us, true);
    row("a memset", OperationKind::memset, 5, 300 * us, true);
    row("a kernel, which may launch the next ones early", OperationKind::kernel, 2, 57'800 * us, false);
}

void tst_TraceBuilder::cutsCopiesThatHoldLaterWork()
{
    QFETCH(int, kind);
    QFETCH(int, inside);
    QFETCH(Ns, end);
    QFETCH(bool, is_cut);
    constexpr Ns us = 1000;
    TraceFixture f;
    switch (static_cast<OperationKind>(kind)) {
    case OperationKind::kernel:
        f.kernel(7, us, end);
        break;
    case OperationKind::memset:
        f.memset(7, us, end);
        break;
    default:
        f.copy(static_cast<OperationKind>(kind) == OperationKind::h2d ? CopyKind::h2d : CopyKind::d2d, 7, us, end);
    }
    for (int i = 0; i < inside; ++i) {
        f.kernel(7, 10 * us + i * 20 * us, 20 * us + i * 20 * us);
        f.kernel(8, 10 * us, 20 * us);  // another stream does not matter
    }
    f.kernel(7, end + us, end + 10 * us);
    const auto trace = f.finish();
    const auto& ops = trace.operations;
    QCOMPARE(ops.start[0], us);
    QCOMPARE(ops.end[0], is_cut ? 10 * us : end);
    QCOMPARE(trace.meta.contains(meta::overlong), is_cut);
    if (is_cut) {
        QCOMPARE(trace.meta.at(meta::overlong), std::string("1"));
        QCOMPARE(trace.meta.at(meta::overlong_ns), std::to_string(end - 10 * us));
    }
}

/// A recorder's clock counts from the machine's start or from 1970 and never shows 0; a model's begins at 0.
void tst_TraceBuilder::leavesOutTimesOfZero()
{
    for (const auto source : {Source::cupti, Source::model}) {
        TraceBuilder b;
        for (const Ns time : {Ns {0}, Ns {86'400'000'000'000}}) {
            b.write(HostSpanRecord {time, time + 5, 1, 1, b.intern("work"), HostSpanRecord::work});
            b.write(ReadRecord {time, time + 5, 1, 1, b.intern("y"), 0, 8, 0});
            b.write(StepRecord {time, 1, 1, 0, 0});
            b.write(ErrorRecord {time, 1, 1, 0, 0, b.intern("none")});
            b.write(CounterRecord {time, 0, 1, no_id, b.intern("c"), CounterRecord::none});
            b.write(RangeRecord {time, 1, 1, 1, b.intern("m"), 0, 0, RangeRecord::mark});
        }
        const auto trace = b.finish(source);
        const bool left_out = source == Source::cupti;
        const std::size_t rows = left_out ? 1 : 2;
        QCOMPARE(trace.host_spans.size(), rows);
        QCOMPARE(trace.reads.size(), rows);
        QCOMPARE(trace.steps.size(), rows);
        QCOMPARE(trace.errors.size(), rows);
        QCOMPARE(trace.samples.size(), rows);
        QCOMPARE(trace.ranges.size(), rows);
        QCOMPARE(trace.meta.contains(meta::skipped_rows), left_out);
        QVERIFY(!left_out || trace.meta.at(meta::skipped_rows) == "6");
    }
}

void tst_TraceBuilder::earliestRecordIsZero()
{
    TraceBuilder b;
    b.write(HostSpanRecord {5'000'000'700, 5'000'000'900, 1, 1, b.intern("work"), HostSpanRecord::work});
    b.write(EventRecord {5'000'000'800, 1, 0, 1, 7, 0, 3, 4, 0});
    b.write(
        ApiCallRecord {5'000'000'750, 5'000'000'760, 1, 1, 1, b.intern("cudaEventRecord"), ApiCallRecord::runtime, 0});
    b.write(EventRecord {0, 1, 0, 1, 7, 1, 3, 5, 0});
    const auto trace = b.finish(Source::cupti);
    QCOMPARE(trace.origin, Ns {5'000'000'700});
    QCOMPARE(trace.host_spans[0].start, Ns {0});
    QCOMPARE(trace.duration, Ns {200});
    QCOMPARE(trace.events[0].time, Ns {50});  // its call's
    QCOMPARE(trace.events[0].device_time, Ns {-1});
    QCOMPARE(trace.events[1].time, Ns {100});
    QCOMPARE(trace.events[1].device_time, Ns {100});
}

void tst_TraceBuilder::laterDescriptionsCount()
{
    TraceBuilder b;
    b.write(StreamRecord {1, 1, 13, -5, StreamRecord::non_blocking, 0});  // CUPTI's
    b.write(StreamRecord {1, 1, 13, 0, StreamRecord::unknown, b.intern("copy")});  // the runner's
    b.write(ThreadRecord {1, 1, b.intern("program"), 3});
    b.write(ThreadRecord {1, 1, b.intern("main"), 0});
    b.write(ProcessRecord {1, 9, b.intern("lanes"), 0});
    b.write(ProcessRecord {1, 0, 0, 0});
    const auto trace = b.finish(Source::cupti);
    QCOMPARE(trace.streams[0].priority, -5);
    QCOMPARE(trace.streams[0].flag, StreamRecord::non_blocking);
    QCOMPARE(trace.label_of(trace.streams[0]), std::string("copy"));
    QCOMPARE(trace.text(trace.threads[0].name), "main");
    QCOMPARE(trace.threads[0].order, 0U);
    QCOMPARE(trace.processes[0].parent, 9U);
    QCOMPARE(trace.text(trace.processes[0].name), "lanes");
}

void tst_TraceBuilder::unusualNumbers()
{
    // A spool may hold anything that has a checksum.
    constexpr auto most = std::numeric_limits<Ns>::max();
    constexpr auto least = std::numeric_limits<Ns>::min();
    for (const auto& [start, end] :
        std::vector<std::pair<Ns, Ns>> {{most, least}, {least, most}, {5, least}, {-9, -99}, {9, 1}}) {
        TraceBuilder b;
        KernelRecord r {};
        r.start = start;
        r.end = end;
        r.stream = r.device = r.context = no_id;
        b.write(r);
        b.write(ApiCallRecord {start, end, no_id, no_id, 1, 0, static_cast<ApiCallRecord::Api>(77), 0});
        b.write(SyncRecord {start, end, 1, 1, no_id, 1, 1, 1, static_cast<SyncRecord::Type>(99), 0});
        b.write(RangeRecord {start, 1, 1, no_id, 0, 0, 0, RangeRecord::begin});
        b.write(RangeRecord {end, 1, 1, 1, 0, 0, 0, RangeRecord::finish});
        b.write(StepRecord {end, 1, no_id, no_id, no_id});
        b.write(MemoryRecord {start, 0, 0, 1, no_id, 1, no_id, 0, static_cast<MemoryRecord::Operation>(200),
            static_cast<MemoryKind>(200), 7, 0});
        b.write(ClockRecord {start, end});
        const auto trace = b.finish(Source::cupti);
        QCOMPARE(QString::fromStdString(unsoundness(trace)), QString());
        QCOMPARE(trace.operations.size() + trace.dropped, std::size_t {1});
    }
}

/// A probe reads the clocks 8 times a second.
void tst_TraceBuilder::samplesOfClocks()
{
    constexpr Ns second = 1'000'000'000;
    constexpr Ns origin = 1'700'000'000 * second;
    TraceBuilder b;
    KernelRecord kernel {};
    kernel.start = origin;
    kernel.end = origin + 10 * second;
    b.write(kernel);
    Ns ahead = 0;
    for (int tick = 8 * 15; tick-- > 0;) {  // of 15 s, from 2 s before the first record on; in any order
        const Ns since = tick * second / 8 - 2 * second;
        ahead = since < 4 * second ? 0 : 5'000'000;  // the clock was set
        b.write(ClockRecord {origin + since + ahead, 77 * second + since});
    }
    const auto trace = b.finish(Source::cupti);
    QCOMPARE(trace.origin, origin);
    QVERIFY(trace.clocks.front().time <= 0);
    QVERIFY(trace.clocks.front().time > -second);  // the last one before the recording
    QVERIFY(trace.clocks.back().time >= trace.duration);
    bool is_step_seen = false;
    for (std::size_t i = 0; i < trace.clocks.size(); ++i) {
        const auto& [time, monotonic] = trace.clocks[i];
        const Ns offset = time - monotonic + 77 * second;
        QCOMPARE(offset, monotonic < 81 * second ? 0 : 5'000'000);
        if (i > 0) {
            const Ns apart = monotonic - trace.clocks[i - 1].monotonic;
            QVERIFY(apart > 0 && apart <= second);
            is_step_seen = is_step_seen || (offset > 0 && apart == second / 8);
        }
    }
    QVERIFY(is_step_seen);  // to within a tick
    QVERIFY(trace.clocks.size() <= 14U);
}

void tst_TraceBuilder::windowsAtTimesThatCannotBe()
{
    constexpr auto most = std::numeric_limits<Ns>::max();
    constexpr auto least = std::numeric_limits<Ns>::min();
    for (const std::uint32_t process : {0U, 1U}) {  // of all processes, of one
        for (const Ns begin : {least, least + 1, -record_time_limit, record_time_limit, most}) {
            TraceBuilder b;
            b.write(WindowRecord {begin, WindowRecord::begin, process});
            b.write(WindowRecord {most - 1, WindowRecord::finish, process});
            b.write(ApiCallRecord {10, 20, 1, 1, 1, b.intern("cudaDeviceSynchronize"), ApiCallRecord::runtime, 0});
            const auto trace = b.finish(Source::cupti);
            QCOMPARE(QString::fromStdString(unsoundness(trace)), QString());
            QCOMPARE(trace.calls.start, std::vector<Ns> {0});
            QCOMPARE(trace.duration, Ns {10});
        }
    }
}

QTEST_GUILESS_MAIN(tst_TraceBuilder)
#include "tst_trace_builder.moc"
