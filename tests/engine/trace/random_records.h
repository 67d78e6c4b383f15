// SPDX-License-Identifier: MIT
// Random records of every kind, consistent like real ones: calls in turn on
// each thread, driver calls inside runtime calls, work joined to calls, ranges
// nested and not. The same seed gives the same records.
#pragma once

#include "probes/record_sink.h"

#include <bit>
#include <random>
#include <string>

namespace lanes {

class RandomRecords {
public:
    explicit RandomRecords(std::uint32_t seed)
        : m_random(seed)
    {
    }

    /// About `calls` API calls and as many others. Times are in [origin, origin + 10 ms).
    void write(RecordSink& sink, std::size_t calls, Ns origin, bool window)
    {
        describe(sink);
        if (window) {
            sink.write(WindowRecord {origin + 1'000'000, WindowRecord::begin});
            sink.write(WindowRecord {origin + 9'000'000, WindowRecord::finish});
        }
        for (std::uint32_t process : processes) {
            std::uint32_t correlation = 0;
            for (std::uint32_t thread = 0; thread < 3; ++thread) {
                Ns now = origin + below(1000);
                for (std::size_t i = 0; i < calls / 6; ++i) {
                    now += below(static_cast<std::uint32_t>(60'000'000 / calls));
                    now = write_call(sink, process, process + thread, now, correlation);
                }
            }
            write_ranges(sink, process, origin);
            write_rest(sink, process, origin);
        }
    }

    std::uint32_t below(std::uint32_t limit) { return limit == 0 ? 0 : m_random() % limit; }
    bool chance(std::uint32_t percent) { return below(100) < percent; }

    static constexpr std::uint32_t processes[] = {4242, 0x2000000};  // the second has more than 24 bits

private:
    void describe(RecordSink& sink)
    {
        for (const std::uint32_t d : {0U, 1U, 2U, 3U}) {  // each process has two of the four, under the numbers 0 and 1
            DeviceRecord device {};
            device.process = processes[d / 2];
            device.device = d % 2;
            device.pci = sink.intern("0000:0" + std::to_string(d) + ":00.0");
            device.name = sink.intern("NVIDIA Test " + std::to_string(d));
            device.uuid = sink.intern("0123456789abcdef0123456789abcde" + std::to_string(d));
            device.memory_bytes = 80ULL << 30U;
            device.memory_bandwidth = 3'350'000'000'000;
            device.multiprocessors = 132;
            device.copy_engines = 3;
            device.compute_major = 9;
            device.core_clock_khz = 1'980'000;
            sink.write(device);
        }
        for (std::uint32_t process : processes) {
            sink.write(ProcessRecord {process, 1, sink.intern("program"), 0});
            for (std::uint32_t c = 1; c <= 2; ++c) {
                sink.write(ContextRecord {process, c - 1, c, 7});
                sink.write(StreamRecord {process, c, 7, 0, StreamRecord::null, 0});
                sink.write(StreamRecord {process, c, 8, -5, StreamRecord::non_blocking, sink.intern("copy")});
            }
            sink.write(ThreadRecord {process, process + 1, sink.intern("main"), 0});
            sink.write(ThreadRecord {process, process, sink.intern("loader.0"), 1});
        }
        sink.write_meta("workload", "random");
        sink.write_meta("step_names", "matmul\n\nsoftmax\n");
        sink.write_meta("title", "quotes \" and ' and \xE4\xBD\xA0");
    }

    void operation(OperationRecord& r, std::uint32_t process, Ns after, std::uint32_t correlation)
    {
        r.start = after + below(100'000);
        r.end = r.start + below(50'000);
        r.process = process;
        r.context = 1 + below(2);
        r.device = r.context - 1;
        r.stream = 7 + below(4);
        r.correlation = chance(90) ? correlation : 0;
        r.graph_node = chance(10) ? 1 + below(9) : 0;
        r.graph = r.graph_node != 0 ? 1 + below(3) : 0;
        r.channel = chance(50) ? below(16) : no_id;
    }

    Ns write_call(RecordSink& sink, std::uint32_t process, std::uint32_t thread, Ns start, std::uint32_t& correlation)
    {
        const Ns end = start + 10 + below(9'000);
        const auto id = ++correlation;
        const auto what = below(8);
        static constexpr const char* names[] = {"cudaLaunchKernel", "cudaMemcpyAsync", "cudaMemcpy", "cudaMemsetAsync",
            "cudaDeviceSynchronize", "cudaEventRecord", "cudaStreamWaitEvent", "cudaMallocAsync"};
        sink.write(ApiCallRecord {
            start, end, process, thread, id, sink.intern(names[what]), ApiCallRecord::runtime, chance(5) ? 700 : 0});
        auto issued_by = id;
        if (chance(20)) {
            issued_by = ++correlation;
            sink.write(ApiCallRecord {start + 1, end - 1, process, thread, issued_by, sink.intern("cuLaunchKernel_v2"),
                ApiCallRecord::driver, 0});
        }
        if (chance(5)) {
            const bool is_copy = chance(50);
            sink.write(
                GraphNodeRecord {start + 1, process, thread, 1 + below(3), 1 + below(9), is_copy ? 1 + below(3) : 0,
                    is_copy ? 1 + below(9) : 0, chance(20) ? sink.intern("\taten::add\nfc1: Linear") : 0});
        }
        if (chance(20)) {
            sink.write(StepRecord {start, process, thread, below(4), below(100)});
        }
        if (chance(5)) {
            const Ns ran = start + below(90'000);
            const std::uint32_t timed = chance(50) ? 1 : 0;
            sink.write(HostFunctionRecord {
                timed * ran, timed * (ran + 7), process, 1, 7 + below(4), chance(80) ? issued_by : 0, timed});
            sink.write(QuerySpinRecord {
                start, end, process, thread, id, 2 + below(9), static_cast<QuerySpinRecord::Success>(below(3))});
        }
        if (chance(5)) {
            sink.write(OverheadRecord {start, end, process, chance(50) ? thread : no_id, chance(50) ? id : 0,
                chance(50) ? OverheadRecord::command_buffer_full : OverheadRecord::buffer_flush});
        }
        switch (what) {
        case 0: {
            KernelRecord r {};
            operation(r, process, start, issued_by);
            r.name = sink.intern("void ns::kernel_" + std::to_string(below(5)) + "<float>(float*)");
            for (auto* size : {r.grid, r.block}) {
                for (int i = 0; i < 3; ++i) {
                    size[i] = 1 + below(1024);
                }
            }
            r.registers = below(255);
            r.static_shared = below(4096);
            r.dynamic_shared = below(4096);
            sink.write(r);
            break;
        }
        case 1:
        case 2: {
            CopyRecord r {};
            operation(r, process, start, issued_by);
            r.bytes = m_random();
            r.copy = static_cast<CopyKind>(below(11));
            r.source = static_cast<MemoryKind>(below(8));
            r.target = static_cast<MemoryKind>(below(8));
            r.source_device = r.copy == CopyKind::p2p ? 0 : no_id;
            r.target_device = r.copy == CopyKind::p2p ? 1 : no_id;
            r.async = what == 1 ? 1 : 0;
            sink.write(r);
            break;
        }
        case 3: {
            MemsetRecord r {};
            operation(r, process, start, issued_by);
            r.bytes = m_random();
            r.value = below(256);
            r.target = MemoryKind::device;
            r.async = 1;
            sink.write(r);
            break;
        }
        case 4:
        case 6:
            sink.write(SyncRecord {start + 2, end - 2, process, 1 + below(2), chance(50) ? no_id : 7 + below(4), id,
                chance(50) ? no_id : below(9), below(9), static_cast<SyncRecord::Type>(below(5)), 0});
            break;
        case 5:
            sink.write(
                EventRecord {chance(50) ? 0 : end + 5, process, 0, 1, 7 + below(4), id, below(9), 1 + below(99), 0});
            break;
        default:
            sink.write(MemoryRecord {start, 0x7F00'0000'0000ULL + below(1000), m_random(), process, 0, 1,
                chance(50) ? no_id : 8, id, static_cast<MemoryRecord::Operation>(below(3)), MemoryKind::device,
                static_cast<std::uint8_t>(below(2)), 0});
        }
        return end;
    }

    void write_ranges(RecordSink& sink, std::uint32_t process, Ns origin)
    {
        const auto domain = sink.intern("library");
        for (std::uint64_t id = 1; id <= 40; ++id) {
            const Ns start = origin + below(10'000'000);
            const auto name = sink.intern("range " + std::to_string(below(6)));
            const bool mark = chance(20);
            if (!mark && chance(90)) {  // ends may come before their begins, and some never come
                sink.write(RangeRecord {start + below(2'000'000), id, process, process, 0, 0, 0, RangeRecord::finish});
            }
            sink.write(RangeRecord {start, id, process, process, name, chance(30) ? domain : 0,
                chance(30) ? 0xFF76B900U : 0U, mark ? RangeRecord::mark : RangeRecord::begin});
            if (!mark && chance(50)) {  // also for ranges that don't exist, and backward before its forward
                sink.write(AutogradRecord {id, chance(30) ? 1 + below(45) : 0, process, chance(90) ? below(9) : no_id,
                    1 + below(2), below(2)});
            } else if (!mark && chance(70)) {
                sink.write(AutogradRecord {chance(95) ? id : 99, 0, process, below(9), 0, 0});
            }
            if (!mark && id % 3 != 0) {  // no more chances: other records stay as they were
                std::uint16_t place = 0;
                const auto value = [&](const char* of, std::uint64_t number, RangeValueRecord::Type type) {
                    const bool is_text = type == RangeValueRecord::text;
                    sink.write(RangeValueRecord {id, number, process, sink.intern(of),
                        is_text ? sink.intern("Sum \"of\" all") : 0, type, place++});
                };
                value("communicator", 0x8000'0000'0000'0000U + id, RangeValueRecord::id);
                value("bytes", id << 40U, RangeValueRecord::natural);
                value("op", 0, RangeValueRecord::text);
                if (id % 2 == 0) {
                    value("lag", ~id, RangeValueRecord::integer);
                    value("share", std::bit_cast<std::uint64_t>(0.1 * static_cast<double>(id)), RangeValueRecord::real);
                }
            }
        }
    }

    void write_rest(RecordSink& sink, std::uint32_t process, Ns origin)
    {
        for (int i = 0; i < 10; ++i) {
            const Ns start = origin + 1 + below(10'000'000);
            sink.write(HostSpanRecord {start, start + below(9000), process, process, sink.intern("batches"),
                static_cast<HostSpanRecord::Type>(below(4))});
            sink.write(ReadRecord {
                start + 7, start + 9000, process, process, sink.intern("y_cpu"), below(2), 4096, below(4096)});
        }
        for (int i = 0; i < 30; ++i) {
            const auto bytes = chance(50);
            const double value = bytes ? below(1 << 30) : below(100'000) / 7.0 - 3000;
            sink.write(CounterRecord {origin + below(10'000'000), std::bit_cast<std::uint64_t>(value), process,
                chance(60) ? below(2) : no_id, sink.intern(bytes ? "torch allocated" : "queue: waiting"),
                bytes ? CounterRecord::bytes : CounterRecord::none});
        }
        sink.write(ErrorRecord {origin + 8'999'000 + below(900), process, process, chance(50) ? no_id : 3, 700,
            sink.intern("an illegal memory access was encountered"), 0});
        sink.write(ErrorRecord {origin + 8'998'000 + below(900), process, no_id, 1, 0, sink.intern("no thread"), 0});
        sink.write(ClockRecord {origin, 1000});
        sink.write(ClockRecord {origin + 5'000'003, 5'001'000});
        sink.write(DroppedRecord {origin + 5, 3});
    }

    std::mt19937 m_random;
};

}  // namespace lanes
