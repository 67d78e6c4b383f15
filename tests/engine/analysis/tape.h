// SPDX-License-Identifier: MIT
// Recordings written by hand: records of one process, times in ns from the start of the window.
#pragma once

#include "engine/trace/trace_builder.h"

#include <string_view>

namespace lanes {

class Tape {
public:
    static constexpr Ns origin = 1'000'000'000;
    static constexpr std::uint32_t process = 100, context = 1, legacy_stream = 7;

    /// The window begins at 0 and ends with the last record before `length`.
    explicit Tape(Ns length = 1'000'000'000)
    {
        m_builder.write(WindowRecord {.time = origin, .edge = WindowRecord::begin});
        m_builder.write(WindowRecord {.time = origin + length, .edge = WindowRecord::finish});
        m_builder.write(
            ContextRecord {.process = process, .device = 0, .context = context, .null_stream = legacy_stream});
    }

    void stream(std::uint32_t id, StreamRecord::Flag flag, std::uint32_t device_context = context)
    {
        m_builder.write(StreamRecord {
            .process = process, .context = device_context, .stream = id, .priority = 0, .flag = flag, .name = 0});
    }
    void thread(std::uint32_t id, std::string_view name, std::uint32_t order)
    {
        m_builder.write(
            ThreadRecord {.process = process, .thread = id, .name = m_builder.intern(name), .order = order});
    }
    /// Returns the call's correlation.
    std::uint32_t call(std::string_view name, Ns start, Ns end, std::uint32_t thread = 1,
        ApiCallRecord::Api api = ApiCallRecord::runtime, std::int32_t result = 0)
    {
        m_builder.write(ApiCallRecord {.start = origin + start,
            .end = origin + end,
            .process = process,
            .thread = thread,
            .correlation = ++m_correlation,
            .name = m_builder.intern(name),
            .api = api,
            .result = result});
        return m_correlation;
    }
    /// The correlation of a call that was not recorded.
    std::uint32_t unrecorded() { return ++m_correlation; }
    void kernel(std::uint32_t correlation, std::uint32_t stream_id, Ns start, Ns end, std::uint32_t device = 0,
        std::string_view name = "work(int)")
    {
        KernelRecord record {};
        fill(record, correlation, stream_id, start, end, device);
        record.name = m_builder.intern(name);
        m_builder.write(record);
    }
    void memset(std::uint32_t correlation, std::uint32_t stream_id, Ns start, Ns end, std::uint32_t device = 0,
        MemoryKind target = MemoryKind::device, bool async = false)
    {
        MemsetRecord record {};
        fill(record, correlation, stream_id, start, end, device);
        record.bytes = 4096;
        record.target = target;
        record.async = async ? 1 : 0;
        m_builder.write(record);
    }
    void copy(std::uint32_t correlation, std::uint32_t stream_id, Ns start, Ns end, CopyKind kind, MemoryKind host,
        bool async, std::uint32_t device = 0, std::uint64_t bytes = 1 << 20)
    {
        CopyRecord record {};
        fill(record, correlation, stream_id, start, end, device);
        record.bytes = bytes;
        record.source_device = record.target_device = no_id;
        record.copy = kind;
        record.source = kind == CopyKind::h2d ? host : MemoryKind::device;
        record.target = kind == CopyKind::d2h ? host : MemoryKind::device;
        record.async = async ? 1 : 0;
        m_builder.write(record);
    }
    void sync(std::uint32_t correlation, SyncRecord::Type type, Ns start, Ns end, std::uint32_t stream_id = no_id,
        std::uint32_t event_id = no_id, std::uint32_t event_sync = 0)
    {
        m_builder.write(SyncRecord {.start = origin + start,
            .end = origin + end,
            .process = process,
            .context = context,
            .stream = stream_id,
            .correlation = correlation,
            .event_id = event_id,
            .event_sync = event_sync,
            .type = type,
            .result = 0});
    }
    void event(std::uint32_t correlation, std::uint32_t stream_id, std::uint32_t event_id, std::uint32_t event_sync)
    {
        m_builder.write(EventRecord {.device_time = 0,
            .process = process,
            .device = 0,
            .context = context,
            .stream = stream_id,
            .correlation = correlation,
            .event_id = event_id,
            .event_sync = event_sync});
    }
    void overhead(OverheadRecord::Type type, std::uint32_t correlation, std::uint32_t thread, Ns start, Ns end)
    {
        m_builder.write(OverheadRecord {.start = origin + start,
            .end = origin + end,
            .process = process,
            .thread = thread,
            .correlation = correlation,
            .type = type});
    }
    /// A host function of a stream; without times if `end` is 0.
    void host_function(std::uint32_t correlation, std::uint32_t stream_id, Ns start = 0, Ns end = 0)
    {
        const bool timed = end != 0;
        m_builder.write(HostFunctionRecord {.start = timed ? origin + start : 0,
            .end = timed ? origin + end : 0,
            .process = process,
            .context = context,
            .stream = stream_id,
            .correlation = correlation,
            .timed = timed ? 1U : 0U});
    }
    void query_spin(std::uint32_t correlation, Ns start, Ns end, std::uint32_t queries,
        QuerySpinRecord::Success succeeded, std::uint32_t thread = 1)
    {
        m_builder.write(QuerySpinRecord {.start = origin + start,
            .end = origin + end,
            .process = process,
            .thread = thread,
            .correlation = correlation,
            .queries = queries,
            .succeeded = succeeded});
    }
    /// Returns its number. It never ends.
    std::uint64_t open_range(std::string_view name, Ns start, std::uint32_t thread = 1, std::string_view domain = "")
    {
        const auto id = ++m_range;
        m_builder.write(RangeRecord {.time = origin + start,
            .id = id,
            .process = process,
            .thread = thread,
            .name = m_builder.intern(name),
            .domain = m_builder.intern(domain),
            .color = 0,
            .edge = RangeRecord::begin});
        return id;
    }
    void range(std::string_view name, Ns start, Ns end, std::uint32_t thread = 1, std::string_view domain = "")
    {
        const auto id = open_range(name, start, thread, domain);
        m_builder.write(RangeRecord {.time = origin + end,
            .id = id,
            .process = process,
            .thread = thread,
            .name = 0,
            .domain = 0,
            .color = 0,
            .edge = RangeRecord::finish});
    }
    /// Of the latest range.
    void value(std::string_view name, std::uint64_t number, std::string_view words = "",
        RangeValueRecord::Type type = RangeValueRecord::natural)
    {
        m_builder.write(RangeValueRecord {.range = m_range,
            .value = number,
            .process = process,
            .name = m_builder.intern(name),
            .words = m_builder.intern(words),
            .type = type,
            .place = m_value++});
    }
    void mark(std::string_view name, Ns time, std::uint32_t thread = 1)
    {
        m_builder.write(RangeRecord {.time = origin + time,
            .id = ++m_range,
            .process = process,
            .thread = thread,
            .name = m_builder.intern(name),
            .domain = 0,
            .color = 0,
            .edge = RangeRecord::mark});
    }
    void host_span(HostSpanRecord::Type type, Ns start, Ns end, std::uint32_t thread = 1)
    {
        m_builder.write(HostSpanRecord {.start = origin + start,
            .end = origin + end,
            .process = process,
            .thread = thread,
            .name = m_builder.intern("span"),
            .type = type});
    }
    void read(std::string_view buffer, Ns start, Ns end, std::uint64_t bytes, std::uint64_t wrong_bytes)
    {
        m_builder.write(ReadRecord {.start = origin + start,
            .end = origin + end,
            .process = process,
            .thread = 1,
            .buffer = m_builder.intern(buffer),
            .expect_stale = 0,
            .bytes = bytes,
            .wrong_bytes = wrong_bytes});
    }
    TraceBuilder& builder() { return m_builder; }
    Trace finish(Source source = Source::cupti) { return m_builder.finish(source); }

private:
    static void fill(OperationRecord& record, std::uint32_t correlation, std::uint32_t stream_id, Ns start, Ns end,
        std::uint32_t device)
    {
        record.start = origin + start;
        record.end = origin + end;
        record.process = process;
        record.device = device;
        record.context = context + device;
        record.stream = stream_id;
        record.correlation = correlation;
        record.channel = no_id;
    }

    TraceBuilder m_builder;
    std::uint32_t m_correlation = 0;
    std::uint64_t m_range = 0;
    std::uint16_t m_value = 0;
};

/// Kernels of 100 µs on one stream, each of which begins `overlap` before the previous one has ended, as programmatic
/// dependent launches may. Returns when the last one ends.
inline Ns dependent_launches(Tape& tape, std::uint32_t stream, Ns first, int kernels, Ns overlap)
{
    constexpr Ns us = 1000;
    constexpr Ns length = 100 * us;
    tape.stream(stream, StreamRecord::non_blocking);
    for (int i = 0; i < kernels; ++i) {
        const Ns start = first + i * (length - overlap);
        tape.kernel(tape.call("cudaLaunchKernelExC", i * 2 * us, i * 2 * us + us), stream, start, start + length);
    }
    return first + kernels * length - (kernels - 1) * overlap;
}

}  // namespace lanes
