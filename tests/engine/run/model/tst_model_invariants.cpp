// SPDX-License-Identifier: MIT
// Invariants of every program, tested on random ones: order within a stream, one
// copy a direction at a time, no more blocks than slots, nothing on a GPU before its
// call, waits kept, the same records each time, and fresh reads after a device
// synchronisation.
#include "engine/run/model/sm_pool.h"
#include "random_program.h"
#include "records.h"

#include <QTest>
#include <tuple>

using namespace lanes;
using namespace lanes::tests;

namespace {

struct Span {
    Ns start, end;
    bool operator<(const Span& other) const { return std::tie(start, end) < std::tie(other.start, other.end); }
};

bool overlap(std::vector<Span> spans)
{
    std::sort(spans.begin(), spans.end());
    for (std::size_t k = 1; k < spans.size(); ++k) {
        if (spans[k].start < spans[k - 1].end) {
            return true;
        }
    }
    return false;
}

template <class Visit> void for_each_operation(const Records& records, Visit visit)
{
    for (const auto& kernel : records.all<KernelRecord>()) {
        visit(static_cast<const OperationRecord&>(kernel));
    }
    for (const auto& copy : records.all<CopyRecord>()) {
        visit(static_cast<const OperationRecord&>(copy));
    }
    for (const auto& memset : records.all<MemsetRecord>()) {
        visit(static_cast<const OperationRecord&>(memset));
    }
}

}  // namespace

class tst_ModelInvariants : public QObject {
    Q_OBJECT

private slots:
    void hold_data();
    void hold();
    void orderedReadsAreFresh_data() { hold_data(); }
    void orderedReadsAreFresh();
    void poolAgreesWithBlockByBlock();
};

void tst_ModelInvariants::hold_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 60; ++seed) {
        QTest::addRow("%u", seed) << seed;
    }
}

void tst_ModelInvariants::hold()
{
    QFETCH(unsigned, seed);
    const auto program = random_program(seed);
    const auto device = h100();
    Records records;
    const auto outcome = run_model(program.builder.program, device, records);
    QVERIFY(!outcome.error);

    // The same each time.
    Records again;
    run_model(program.builder.program, device, again);
    QVERIFY(records.bytes() == again.bytes());

    std::map<std::uint32_t, ApiCallRecord> calls;
    std::map<std::uint32_t, std::vector<Span>> by_thread;
    for (const auto& call : records.all<ApiCallRecord>()) {
        QVERIFY(calls.emplace(call.correlation, call).second);
        QVERIFY(call.end >= call.start);
        QCOMPARE(call.result, 0);
        by_thread[call.thread].push_back({call.start, call.end});
    }
    for (const auto& [thread, spans] : by_thread) {
        QVERIFY(!overlap(spans));
    }

    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Span>> by_stream;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint32_t, Ns>>> order;
    for_each_operation(records, [&](const OperationRecord& operation) {
        QVERIFY(calls.contains(operation.correlation));
        QVERIFY(operation.start >= calls.at(operation.correlation).start);
        QVERIFY(operation.end > operation.start);
        const auto stream = std::pair(operation.context, operation.stream);
        by_stream[stream].push_back({operation.start, operation.end});
        order[stream].emplace_back(operation.correlation, operation.start);
    });
    for (const auto& [stream, spans] : by_stream) {
        QVERIFY(!overlap(spans));
    }
    std::map<std::tuple<std::uint32_t, CopyKind>, std::vector<Span>> by_direction;
    for (const auto& copy : records.all<CopyRecord>()) {
        by_direction[{copy.device, copy.copy}].push_back({copy.start, copy.end});
    }
    for (const auto& [direction, spans] : by_direction) {
        QVERIFY(!overlap(spans));
    }

    // Every instruction left its record: no branch is in these programs.
    std::size_t instructions = 0;
    for (const auto& thread : program.builder.program.threads) {
        instructions += thread.instructions.size();
    }
    QCOMPARE(records.all<StepRecord>().size(), instructions);

    // Work after a wait on its stream starts after the record's time.
    std::map<Index, std::uint32_t> call_of_step;
    const auto steps = records.all<StepRecord>();
    for (const auto& [correlation, call] : calls) {
        Ns latest = -1;
        for (const auto& step : steps) {
            if (step.thread == call.thread && step.start <= call.start && step.start >= latest) {
                latest = step.start;
                call_of_step[step.step] = correlation;
            }
        }
    }
    std::map<std::uint32_t, EventRecord> events;
    for (const auto& event : records.all<EventRecord>()) {
        events[event.correlation] = event;
    }
    std::map<std::uint32_t, SyncRecord> syncs;
    for (const auto& sync : records.all<SyncRecord>()) {
        syncs[sync.correlation] = sync;
    }
    const auto correlation_at = [&](Index step) {
        for (const auto& record : steps) {
            if (record.step != step) {
                continue;
            }
            for (const auto& [correlation, call] : calls) {
                if (call.thread == record.thread && call.start >= record.start) {
                    return correlation;  // of that thread's first call from the step on
                }
            }
        }
        return 0U;
    };
    for (const auto& wait : program.waits) {
        const auto& sync = syncs.at(correlation_at(wait.wait));
        const auto& event = events.at(correlation_at(wait.record));
        QCOMPARE(sync.type, SyncRecord::stream_wait_event);
        QCOMPARE(sync.event_sync, event.event_sync);
        for (const auto& [correlation, start] : order[{sync.context, sync.stream}]) {
            if (correlation > sync.correlation && calls.at(correlation).start >= sync.end) {
                QVERIFY(start >= event.device_time);
            }
        }
    }
}

// One thread, all on one stream: whatever it does, a read after a synchronisation finds the right bytes.
void tst_ModelInvariants::orderedReadsAreFresh()
{
    QFETCH(unsigned, seed);
    Random random(seed);
    ProgramBuilder b;
    const auto s = b.stream(below(random, 2) == 0 ? StreamSpec::Kind::non_blocking : StreamSpec::Kind::legacy);
    std::vector<Index> host;
    std::vector<Index> gpu;
    for (int k = 0; k < 3; ++k) {
        host.push_back(b.buffer(below(random, 2) == 0 ? MemoryKind::pinned : MemoryKind::pageable, 256 * kib));
        gpu.push_back(b.buffer(MemoryKind::device, 256 * kib));
        b.program.buffers[host.back()].initial_value = k;
    }
    for (int k = 0; k < 80; ++k) {
        const auto h = host[below(random, 3)];
        const auto g = gpu[below(random, 3)];
        const auto offset = std::uint64_t {below(random, 128)} * kib;
        const auto bytes = (std::uint64_t {below(random, 128)} + 1) * kib;
        switch (below(random, 6)) {
        case 0:
            b.writing_kernel(s, 5 * us, g);
            break;
        case 1:
            b.copy_part(h, g, s, offset, bytes);
            break;
        case 2:
            b.copy_part(g, h, s, offset, bytes);
            break;
        case 3:
            b.copy_part(g, gpu[below(random, 3)], s, offset, bytes);
            break;
        case 4:
            b.memset(g, s, static_cast<std::uint8_t>(below(random, 256)));
            break;
        default:
            // The host must not write to a pinned source while it is being copied.
            b.step(SyncStreamAction {s});
            b.read(h);
            break;
        }
    }
    Records records;
    const auto outcome = run_model(b.program, h100(), records);
    QVERIFY(!outcome.error);
    for (const auto& read : records.all<ReadRecord>()) {
        QCOMPARE(read.wrong_bytes, 0U);
    }
}

// Against placing single blocks, with work that does not slow down other work.
void tst_ModelInvariants::poolAgreesWithBlockByBlock()
{
    const auto device = h100();
    const std::uint32_t places = device.multiprocessors * device.blocks_per_multiprocessor;
    Random random(7);
    for (int round = 0; round < 100; ++round) {
        struct Kernel {
            Ns ready;
            std::uint32_t blocks;
            Ns block_time;
            Ns end = 0;
        };
        std::vector<Kernel> kernels;
        Ns ready = 0;
        for (std::uint32_t k = 0; k < 12; ++k) {
            ready += below(random, 400);
            kernels.push_back({ready, 1 + below(random, 3 * places), static_cast<Ns>(1 + below(random, 500))});
        }
        // The oracle: slots by the time when they become free, kernels in order.
        std::vector<Ns> slot_free(places, 0);
        auto expected = kernels;
        for (auto& kernel : expected) {
            for (std::uint32_t block = 0; block < kernel.blocks; ++block) {
                std::pop_heap(slot_free.begin(), slot_free.end(), std::greater<>());
                auto& free = slot_free.back();
                free = std::max(free, kernel.ready) + kernel.block_time;
                kernel.end = std::max(kernel.end, free);
                std::push_heap(slot_free.begin(), slot_free.end(), std::greater<>());
            }
        }
        model::SmPool pool(device);
        std::size_t next = 0;
        std::map<std::uint32_t, Ns> ends;
        for (Ns now = 0; ends.size() < kernels.size();) {
            pool.settle(now);
            for (const auto id : pool.finished()) {
                ends[id] = now;
            }
            for (; next < kernels.size() && kernels[next].ready == now; ++next) {
                const auto& kernel = kernels[next];
                pool.add({static_cast<std::uint32_t>(next), kernel.blocks,
                    static_cast<double>(kernel.block_time) * pool.waves(kernel.blocks), KernelWork::spin, 0});
            }
            pool.settle(now);
            for (const auto id : pool.finished()) {
                ends[id] = now;
            }
            now = std::min(pool.next(), next < kernels.size() ? kernels[next].ready : model::never);
        }
        for (std::uint32_t k = 0; k < kernels.size(); ++k) {
            QCOMPARE(ends[k], expected[k].end);
        }
    }
}

QTEST_GUILESS_MAIN(tst_ModelInvariants)
#include "tst_model_invariants.moc"
