// SPDX-License-Identifier: MIT
// Writes a trace by hand in few lines:
//
//     TraceFixture f;
//     const auto launch = f.call("cudaLaunchKernel", 0, 5);
//     f.kernel(7, 10, 90, launch);
//     f.kernel(8, 20, 60);                       // without a call
//     f.copy(CopyKind::h2d, 9, 30, 50, 4096);
//     const Trace trace = f.finish();
//
// Times are ns from the recording's start and stay as written. Process, thread,
// device and context are members: set them before adding what belongs there.
#pragma once

#include "engine/trace/trace_builder.h"

#include <utility>

namespace lanes {

struct TraceFixture {
    TraceBuilder builder;
    std::uint32_t process = 1, thread = 1, device = 0, context = 1;

    TraceFixture() { builder.keep_times_and_devices(0); }

    /// Returns the call's correlation id.
    std::uint32_t call(std::string_view name, Ns start, Ns end, ApiCallRecord::Api api = ApiCallRecord::runtime)
    {
        const auto correlation = ++m_correlation;
        builder.write(ApiCallRecord {start, end, process, thread, correlation, builder.intern(name), api, 0});
        return correlation;
    }
    void kernel(std::uint32_t stream, Ns start, Ns end, std::uint32_t correlation = 0, std::string_view name = "kernel")
    {
        KernelRecord r {};
        operation(r, stream, start, end, correlation);
        r.name = builder.intern(name);
        r.grid[0] = r.grid[1] = r.grid[2] = r.block[0] = r.block[1] = r.block[2] = 1;
        builder.write(r);
    }
    /// A kernel of a node of a CUDA graph: {graph, node}, nodes from 1.
    using NodeId = std::pair<std::uint32_t, std::uint32_t>;
    void kernel_of(NodeId node, std::uint32_t stream, Ns start, Ns end, std::uint32_t correlation = 0)
    {
        KernelRecord r {};
        operation(r, stream, start, end, correlation);
        r.graph = node.first;
        r.graph_node = node.second;
        builder.write(r);
    }
    /// The thread makes a node, or a copy of `original`.
    void node(NodeId node, Ns time, NodeId original = {})
    {
        builder.write(
            GraphNodeRecord {time, process, thread, node.first, node.second, original.first, original.second});
    }
    void copy(CopyKind kind, std::uint32_t stream, Ns start, Ns end, std::uint64_t bytes = 1,
        std::uint32_t correlation = 0, MemoryKind host = MemoryKind::pinned, bool async = true)
    {
        CopyRecord r {};
        operation(r, stream, start, end, correlation);
        r.bytes = bytes;
        r.source_device = r.target_device = no_id;
        r.copy = kind;
        r.source = kind == CopyKind::h2d || kind == CopyKind::h2h ? host : MemoryKind::device;
        r.target = kind == CopyKind::d2h || kind == CopyKind::h2h ? host : MemoryKind::device;
        r.async = async ? 1 : 0;
        builder.write(r);
    }
    void memset(std::uint32_t stream, Ns start, Ns end, std::uint64_t bytes = 1, std::uint32_t correlation = 0)
    {
        MemsetRecord r {};
        operation(r, stream, start, end, correlation);
        r.bytes = bytes;
        r.target = MemoryKind::device;
        r.async = 1;
        builder.write(r);
    }
    /// `stream` no_id: all of the context.
    void sync(SyncRecord::Type type, Ns start, Ns end, std::uint32_t correlation, std::uint32_t stream = no_id,
        std::uint32_t event_id = no_id, std::uint32_t event_sync = 0)
    {
        builder.write(SyncRecord {start, end, process, context, stream, correlation, event_id, event_sync, type, 0});
    }
    void event(std::uint32_t stream, std::uint32_t correlation, std::uint32_t event_id, std::uint32_t event_sync,
        Ns device_time = 0)
    {
        builder.write(EventRecord {device_time, process, device, context, stream, correlation, event_id, event_sync});
    }
    void range(std::string_view name, Ns start, Ns end, std::string_view domain = {})
    {
        const auto id = ++m_range;
        builder.write(RangeRecord {
            start, id, process, thread, builder.intern(name), builder.intern(domain), 0, RangeRecord::begin});
        builder.write(RangeRecord {end, id, process, thread, 0, 0, 0, RangeRecord::finish});
    }
    void mark(std::string_view name, Ns time)
    {
        builder.write(RangeRecord {time, ++m_range, process, thread, builder.intern(name), 0, 0, RangeRecord::mark});
    }
    void span(HostSpanRecord::Type type, std::string_view name, Ns start, Ns end)
    {
        builder.write(HostSpanRecord {start, end, process, thread, builder.intern(name), type});
    }
    void read(std::string_view buffer, Ns start, Ns end, std::uint64_t bytes, std::uint64_t wrong_bytes,
        bool expect_stale = false)
    {
        builder.write(ReadRecord {
            start, end, process, thread, builder.intern(buffer), expect_stale ? 1U : 0U, bytes, wrong_bytes});
    }
    void step(Ns start, std::uint32_t step, std::uint32_t instruction)
    {
        builder.write(StepRecord {start, process, thread, step, instruction});
    }
    void overhead(OverheadRecord::Type type, Ns start, Ns end, std::uint32_t correlation = 0)
    {
        builder.write(OverheadRecord {start, end, process, thread, correlation, type});
    }
    void memory(MemoryRecord::Operation operation, Ns time, std::uint64_t address, std::uint64_t bytes,
        std::uint32_t correlation = 0, std::uint32_t stream = no_id)
    {
        builder.write(MemoryRecord {
            time, address, bytes, process, device, context, stream, correlation, operation, MemoryKind::device, 0});
    }
    void name_thread(std::string_view name, std::uint32_t order)
    {
        builder.write(ThreadRecord {process, thread, builder.intern(name), order});
    }
    void name_stream(std::uint32_t stream, std::string_view name, StreamRecord::Flag flag = StreamRecord::non_blocking)
    {
        builder.write(ContextRecord {process, device, context, 7});
        builder.write(StreamRecord {process, context, stream, 0, flag, builder.intern(name)});
    }
    void name_device(std::string_view name)
    {
        DeviceRecord r {};
        r.device = device;
        r.name = builder.intern(name);
        builder.write(r);
    }
    Trace finish(Source source = Source::cupti) { return builder.finish(source); }

private:
    void operation(OperationRecord& r, std::uint32_t stream, Ns start, Ns end, std::uint32_t correlation)
    {
        r.start = start;
        r.end = end;
        r.process = process;
        r.device = device;
        r.context = context;
        r.stream = stream;
        r.correlation = correlation;
        r.channel = no_id;
    }

    std::uint32_t m_correlation = 0;
    std::uint64_t m_range = 0;
};

}  // namespace lanes
