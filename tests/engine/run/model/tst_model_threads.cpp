// SPDX-License-Identifier: MIT
// Threads that wait for one another, faults, and runs that are cut short.
#include "engine/trace/meta_keys.h"
#include "program_builder.h"
#include "records.h"

#include <QTest>

using namespace lanes;
using namespace lanes::tests;

class tst_ModelThreads : public QObject {
    Q_OBJECT

private slots:
    void queueHoldsBackTheProducer();
    void joinWaits();
    void hostWork();
    void perThreadStreamsAreOfTheirThreads();
    void faultEndsTheRun();
    void faultThatNobodyWaitsFor();
    void waitForEverIsAnError();
    void cancelKeepsTheRecords();
    void timeLimit();
    void allocations();
    void freeWaitsForTheGpu();
    void allReduceAddsUp();
    void partsAreGatheredAndScattered();
    void metaData();
};

void tst_ModelThreads::queueHoldsBackTheProducer()
{
    ProgramBuilder b;
    const auto q = b.queue(2);
    const auto main = b.thread;
    const auto loader = b.new_thread("loader");
    for (int k = 0; k < 10; ++k) {
        b.thread = main;
        b.step(GetAction {q});
        b.spin(ms);
        b.thread = loader;
        b.step(PutAction {q});
    }
    Records records;
    const auto outcome = run_model(b.program, h100(), records);
    QVERIFY(!outcome.error);
    QVERIFY(outcome.wall >= 10 * ms && outcome.wall < 11 * ms);
    auto spans = records.all<HostSpanRecord>();
    std::vector<Ns> puts;
    std::vector<Ns> gets;
    Ns longest_put = 0;
    for (const auto& span : spans) {
        if (span.type == HostSpanRecord::queue_put) {
            puts.push_back(span.end);
            longest_put = std::max(longest_put, span.end - span.start);
            QCOMPARE(span.thread, loader + 1);
            QCOMPARE(records.text(span.name), std::string("q0"));
        } else if (span.type == HostSpanRecord::queue_get) {
            gets.push_back(span.end);
        }
    }
    QCOMPARE(puts.size(), 10U);
    QCOMPARE(gets.size(), 10U);
    for (std::size_t k = 0; k < 10; ++k) {
        QVERIFY(gets[k] >= puts[k]);
        if (k >= 2) {
            QVERIFY(puts[k] >= gets[k - 2]);  // never more than two in the queue
        }
    }
    QVERIFY(longest_put > ms / 2);
}

void tst_ModelThreads::joinWaits()
{
    ProgramBuilder b;
    const auto main = b.thread;
    const auto other = b.new_thread("other");
    b.spin(3 * ms);
    b.thread = main;
    b.step(JoinAction {other});
    b.step(JoinAction {other});
    Records records;
    run_model(b.program, h100(), records);
    std::vector<HostSpanRecord> joins;
    for (const auto& span : records.all<HostSpanRecord>()) {
        if (span.type == HostSpanRecord::join) {
            joins.push_back(span);
        }
    }
    QCOMPARE(joins.size(), 2U);
    QVERIFY(joins[0].end >= 3 * ms && joins[0].end < 3 * ms + 100 * us);
    QVERIFY(joins[1].end - joins[1].start < 5 * us);
    QCOMPARE(records.text(joins[0].name), std::string("other"));
}

void tst_ModelThreads::hostWork()
{
    ProgramBuilder b;
    b.spin(ms);
    CpuAction sleep;
    sleep.kind = CpuAction::Kind::sleep;
    sleep.time = ms;
    sleep.name = "think";
    b.step(sleep);
    CpuAction copy;
    copy.kind = CpuAction::Kind::memcpy;
    copy.bytes = 105 * mib;
    b.step(copy);
    Records records;
    run_model(b.program, h100(), records);
    const auto spans = records.all<HostSpanRecord>();
    QCOMPARE(spans.size(), 3U);
    QCOMPARE(spans[0].end - spans[0].start, ms);
    QVERIFY(spans[1].end - spans[1].start > ms && spans[1].end - spans[1].start < 1200 * us);
    QCOMPARE(records.text(spans[1].name), std::string("think"));
    QVERIFY(spans[2].end - spans[2].start > 9 * ms && spans[2].end - spans[2].start < 12 * ms);
    QCOMPARE(records.text(spans[2].name), std::string("memcpy"));
}

void tst_ModelThreads::perThreadStreamsAreOfTheirThreads()
{
    ProgramBuilder b;
    const auto s = b.stream(StreamSpec::Kind::per_thread);
    b.kernel(s, ms, 1);
    b.new_thread("second");
    b.kernel(s, ms, 1);
    Records records;
    run_model(b.program, h100(), records);
    const auto kernels = records.all<KernelRecord>();
    QCOMPARE(kernels.size(), 2U);
    QVERIFY(kernels[0].stream != kernels[1].stream);
    QVERIFY(kernels[1].start < kernels[0].end);
    QCOMPARE(records.all<StreamRecord>().size(), 2U);
}

void tst_ModelThreads::faultEndsTheRun()
{
    ProgramBuilder b;
    const auto s = b.stream();
    const auto q = b.queue(1);
    b.kernel(s, ms, 1);
    b.step(FaultAction {s});
    b.kernel(s, ms, 1);
    const auto sync = b.step(SyncStreamAction {s});
    b.kernel(s, ms, 1);
    b.new_thread("waits");
    b.step(GetAction {q});
    Records records;
    const auto outcome = run_model(b.program, h100(), records);
    QVERIFY(outcome.error);
    QCOMPARE(outcome.error->code, 700);
    QCOMPARE(outcome.error->step, sync);
    QVERIFY(outcome.error->message.find("cudaErrorIllegalAddress") != std::string::npos);
    const auto errors = records.all<ErrorRecord>();
    QCOMPARE(errors.size(), 1U);
    QCOMPARE(errors[0].step, sync);
    QCOMPARE(errors[0].thread, 1U);
    QCOMPARE(records.all<KernelRecord>().size(), 1U);
    QCOMPARE(records.calls("cudaLaunchKernel").size(), 3U);
    const auto syncs = records.calls("cudaStreamSynchronize");
    QCOMPARE(syncs.size(), 1U);
    QCOMPARE(syncs[0].result, 700);
    const Ns reported = syncs[0].end - h100().fault_report;
    QVERIFY(reported > ms && reported < 2 * ms);
    QCOMPARE(outcome.gpu_end, records.all<KernelRecord>()[0].end);
    QCOMPARE(records.all<WindowRecord>().size(), 2U);
    QVERIFY(records.all<HostSpanRecord>().empty());
}

void tst_ModelThreads::faultThatNobodyWaitsFor()
{
    ProgramBuilder b;
    b.step(FaultAction {b.stream()});
    Records records;
    const auto outcome = run_model(b.program, h100(), records);
    QVERIFY(outcome.error);
    QCOMPARE(outcome.error->code, 700);
    QCOMPARE(outcome.error->step, no_id);
    QCOMPARE(records.all<ErrorRecord>().size(), 1U);
}

void tst_ModelThreads::waitForEverIsAnError()
{
    ProgramBuilder b;
    b.step(GetAction {b.queue(1)});
    Records records;
    const auto outcome = run_model(b.program, h100(), records);
    QVERIFY(outcome.error);
    QCOMPARE(outcome.error->code, 0);
    QVERIFY(outcome.error->message.find("queue q0") != std::string::npos);
}

void tst_ModelThreads::cancelKeepsTheRecords()
{
    ProgramBuilder b;
    const auto s = b.stream();
    for (int k = 0; k < 20000; ++k) {
        b.kernel(s, 10 * us, 1);
    }
    ModelOptions options;
    std::vector<double> fractions;
    std::stop_source stop;
    options.progress = Progress(stop.get_token(), [&](double fraction) {
        fractions.push_back(fraction);
        if (fractions.size() == 3) {
            stop.request_stop();
        }
    });
    Records records;
    const auto outcome = run_model(b.program, h100(), records, options);
    QVERIFY(outcome.cancelled);
    QCOMPARE(fractions.size(), 3U);
    QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
    QVERIFY(fractions.back() > 0 && fractions.back() < 1);
    QVERIFY(!records.all<KernelRecord>().empty());
    QVERIFY(records.all<KernelRecord>().size() < 20000U);
    QCOMPARE(records.all<WindowRecord>().size(), 2U);
}

void tst_ModelThreads::timeLimit()
{
    ProgramBuilder b;
    for (int k = 0; k < 100000; ++k) {
        b.spin(ms);
    }
    ModelOptions options;
    options.most_time = 10 * ms;
    Records records;
    const auto outcome = run_model(b.program, h100(), records, options);
    QVERIFY(outcome.error);
    QVERIFY(outcome.error->message.find("limit") != std::string::npos);
}

void tst_ModelThreads::allocations()
{
    ProgramBuilder b;
    const auto s = b.stream();
    std::map<MemoryKind, Index> buffers;
    for (const auto kind : {MemoryKind::device, MemoryKind::pinned, MemoryKind::pageable}) {
        buffers[kind] = b.buffer(kind, mib);
        b.step(AllocAction {buffers[kind], no_id});
    }
    const auto pooled = b.buffer(MemoryKind::device, mib);
    b.step(AllocAction {pooled, s});
    b.step(FreeAction {pooled, s});
    for (const auto& [kind, buffer] : buffers) {
        b.step(FreeAction {buffer, no_id});
    }
    Records records;
    run_model(b.program, h100(), records);
    for (const auto* name :
        {"cudaMalloc", "cudaMallocHost", "cudaMallocAsync", "cudaFreeAsync", "cudaFree", "cudaFreeHost"}) {
        QCOMPARE(records.calls(name).size(), 1U);
    }
    const auto memory = records.all<MemoryRecord>();
    QCOMPARE(memory.size(), 6U);
    std::map<std::uint64_t, int> balance;
    for (const auto& record : memory) {
        QVERIFY(record.address != 0);
        balance[record.address] += record.operation == MemoryRecord::allocate ? 1 : -1;
    }
    QCOMPARE(balance.size(), 3U);
    for (const auto& [address, count] : balance) {
        QCOMPARE(count, 0);
    }
    QVERIFY(records.calls("cudaMallocAsync")[0].end - records.calls("cudaMallocAsync")[0].start < 10 * us);
}

void tst_ModelThreads::freeWaitsForTheGpu()
{
    for (const bool pooled : {false, true}) {
        ProgramBuilder b;
        const auto s = b.stream();
        const auto other = b.stream();
        const auto x = b.buffer(MemoryKind::device, mib);
        b.kernel(other, 5 * ms, 1);
        b.step(FreeAction {x, pooled ? s : no_id});
        Records records;
        run_model(b.program, h100(), records);
        const auto call = records.calls(pooled ? "cudaFreeAsync" : "cudaFree").at(0);
        QCOMPARE(call.end > 5 * ms, !pooled);
    }
}

void tst_ModelThreads::allReduceAddsUp()
{
    ProgramBuilder b;
    CollectiveAction action;
    std::vector<Index> hosts;
    for (std::uint32_t gpu = 0; gpu < 2; ++gpu) {
        action.buffers.push_back(b.buffer(MemoryKind::device, mib, gpu));
        action.streams.push_back(b.stream(StreamSpec::Kind::non_blocking, gpu));
        hosts.push_back(b.buffer(MemoryKind::pinned, mib));
        b.program.buffers[action.buffers[gpu]].initial_value = gpu + 1;
    }
    b.kernel(action.streams[1], 2 * ms, 1);  // the other rank waits for this one
    b.step(action);
    using Op = ValueCode::Op;
    for (std::uint32_t gpu = 0; gpu < 2; ++gpu) {
        b.copy(action.buffers[gpu], hosts[gpu], action.streams[gpu], true);
        b.read(hosts[gpu]);
        const auto next = static_cast<Index>(b.program.threads[0].instructions.size()) + 2;
        b.step(BranchAction {
            ValueCode {{{Op::load, hosts[gpu], 0}, {Op::constant, no_id, 3}, {Op::not_equal, no_id, 0}}}, next});
        b.spin(ms);  // reached only if the sum is not 3
    }
    b.spin(1);
    Records records;
    const auto outcome = run_model(b.program, h100(), records);
    QVERIFY(!outcome.error);
    for (const auto& read : records.all<ReadRecord>()) {
        QCOMPARE(read.wrong_bytes, 0U);
    }
    QCOMPARE(records.all<HostSpanRecord>().size(), 1U);
    std::vector<KernelRecord> ranks;
    for (const auto& kernel : records.all<KernelRecord>()) {
        if (records.text(kernel.name).starts_with("nccl")) {
            ranks.push_back(kernel);
        }
    }
    QCOMPARE(ranks.size(), 2U);
    QCOMPARE(ranks[0].end, ranks[1].end);
    QVERIFY(std::min(ranks[0].start, ranks[1].start) < ms);
    QVERIFY(std::max(ranks[0].start, ranks[1].start) > 2 * ms);
    QVERIFY(ranks[0].device != ranks[1].device);
    QVERIFY(ranks[0].context != ranks[1].context);
}

/// A reduce-scatter and an all-gather are an all-reduce, and each takes half as long, but for the latency.
void tst_ModelThreads::partsAreGatheredAndScattered()
{
    constexpr std::uint64_t bytes = 64 * mib;
    const auto last = [&](std::vector<CollectiveKind> kinds, std::vector<Ns>& times) {
        ProgramBuilder b;
        CollectiveAction action;
        std::vector<Index> hosts;
        for (std::uint32_t gpu = 0; gpu < 2; ++gpu) {
            action.buffers.push_back(b.buffer(MemoryKind::device, bytes, gpu));
            action.streams.push_back(b.stream(StreamSpec::Kind::non_blocking, gpu));
            hosts.push_back(b.buffer(MemoryKind::pinned, bytes));
            b.program.buffers[action.buffers[gpu]].initial_value = 10.0 * (gpu + 1);
        }
        for (const auto kind : kinds) {
            action.kind = kind;
            b.step(action);
        }
        for (std::uint32_t gpu = 0; gpu < 2; ++gpu) {
            b.copy(action.buffers[gpu], hosts[gpu], action.streams[gpu], true);
            b.read(hosts[gpu]);
        }
        Records records;
        const auto outcome = run_model(b.program, h100(), records);
        for (const auto& read : records.all<ReadRecord>()) {
            times.push_back(static_cast<Ns>(read.wrong_bytes));
        }
        for (const auto& kernel : records.all<KernelRecord>()) {
            times.push_back(kernel.end - kernel.start);
        }
        return !outcome.error;
    };
    std::vector<Ns> reduce, parts;
    QVERIFY(last({CollectiveKind::all_reduce}, reduce));
    QVERIFY(last({CollectiveKind::reduce_scatter, CollectiveKind::all_gather}, parts));
    QCOMPARE(reduce.size(), 4U);
    QCOMPARE(parts.size(), 6U);
    QCOMPARE(reduce[0] + reduce[1] + parts[0] + parts[1], 0);  // wrong bytes
    QVERIFY(parts[2] > reduce[2] * 45 / 100 && parts[2] < reduce[2] * 60 / 100);
}

void tst_ModelThreads::metaData()
{
    ProgramBuilder b;
    b.program.variant = "v";
    b.step(FaultAction {b.stream()});
    Records records;
    const auto outcome = run_model(b.program, h100(), records);
    write_model_meta(b.program, "h100", records);
    write_model_outcome(outcome, records);
    QCOMPARE(records.meta.at(meta::source), std::string("model"));
    QCOMPARE(records.meta.at(meta::device), std::string("model:h100"));
    QCOMPARE(records.meta.at(meta::workload), std::string("test"));
    QCOMPARE(records.meta.at(meta::variant), std::string("v"));
    QCOMPARE(records.meta.at(meta::error), outcome.error->message);
    QCOMPARE(records.meta.at(meta::gpu_end_ns), std::string("0"));
}

QTEST_GUILESS_MAIN(tst_ModelThreads)
#include "tst_model_threads.moc"
