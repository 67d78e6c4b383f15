// SPDX-License-Identifier: MIT
// Where two traces differ, texts compared as texts: their ids may differ.
#pragma once

#include "engine/trace/trace.h"

#include <string>

namespace lanes {

namespace detail {

/// Compares columns of numbers and tables of items through `print`.
class Differ {
public:
    Differ(const Trace& a, const Trace& b)
        : m_a(a)
        , m_b(b)
    {
    }
    std::string result;

    template <class Print> void table(const char* name, std::size_t size_a, std::size_t size_b, Print print)
    {
        if (!result.empty()) {
            return;
        }
        if (size_a != size_b) {
            result = std::string(name) + ": " + std::to_string(size_a) + " and " + std::to_string(size_b) + " rows";
            return;
        }
        for (Row row = 0; row < size_a; ++row) {
            const auto a = print(m_a, row);
            const auto b = print(m_b, row);
            if (a != b) {
                result = std::string(name) + " " + std::to_string(row) + ": " + a + " and " + b;
                return;
            }
        }
    }

private:
    const Trace& m_a;
    const Trace& m_b;
};

template <class... Values> std::string line(const Values&... values)
{
    std::string text;
    const auto add = [&text](const auto& value) {
        if constexpr (std::is_convertible_v<decltype(value), std::string_view>) {
            text += std::string_view(value);
        } else {
            text += std::to_string(static_cast<std::int64_t>(value));
        }
        text += ' ';
    };
    (add(values), ...);
    return text;
}

}  // namespace detail

/// "" if `a` and `b` say the same, else the first difference.
inline std::string difference(const Trace& a, const Trace& b)
{
    using detail::line;
    detail::Differ d(a, b);
    d.table("trace", 1, 1, [](const Trace& t, Row) { return line(t.source, t.origin, t.duration, t.dropped); });
    d.table("meta", a.meta.size(), b.meta.size(), [](const Trace& t, Row row) {
        const auto at = std::next(t.meta.begin(), row);
        return line(at->first, at->second);
    });
    d.table("processes", a.processes.size(), b.processes.size(), [](const Trace& t, Row row) {
        const auto& p = t.processes[row];
        return line(p.id, p.parent, t.text(p.name));
    });
    d.table("threads", a.threads.size(), b.threads.size(), [](const Trace& t, Row row) {
        const auto& x = t.threads[row];
        return line(x.process, x.id, t.text(x.name), x.order);
    });
    d.table("devices", a.devices.size(), b.devices.size(), [](const Trace& t, Row row) {
        const auto& x = t.devices[row];
        return line(x.id, t.text(x.name), t.text(x.uuid), x.multiprocessors, x.copy_engines, x.compute_major,
            x.compute_minor, x.core_clock_khz, x.memory_bytes, x.memory_bandwidth, t.text(x.pci));
    });
    d.table("contexts", a.contexts.size(), b.contexts.size(), [](const Trace& t, Row row) {
        const auto& x = t.contexts[row];
        return line(x.process, x.device, x.id, x.null_stream);
    });
    d.table("streams", a.streams.size(), b.streams.size(), [](const Trace& t, Row row) {
        const auto& x = t.streams[row];
        return line(x.process, x.device, x.context, x.id, t.text(x.name), x.priority, x.flag);
    });
    d.table("operations", a.operations.size(), b.operations.size(), [](const Trace& t, Row row) {
        const auto& o = t.operations;
        return line(o.start[row], o.end[row], o.stream[row], t.text(o.name[row]), o.correlation[row], o.call[row],
            o.detail[row], static_cast<int>(o.kind[row]));
    });
    d.table("kernels", a.kernels.size(), b.kernels.size(), [](const Trace& t, Row row) {
        const auto& k = t.kernels[row];
        return line(t.text(k.full_name), k.grid[0], k.grid[1], k.grid[2], k.block[0], k.block[1], k.block[2],
            k.registers, k.static_shared, k.dynamic_shared, k.graph_node, k.channel);
    });
    d.table("copies", a.copies.size(), b.copies.size(), [](const Trace& t, Row row) {
        const auto& c = t.copies[row];
        return line(
            c.bytes, c.source, c.target, c.copy, c.async, c.source_device, c.target_device, c.graph_node, c.channel);
    });
    d.table("memsets", a.memsets.size(), b.memsets.size(), [](const Trace& t, Row row) {
        const auto& m = t.memsets[row];
        return line(m.bytes, m.value, m.target, m.async, m.graph_node, m.channel);
    });
    d.table("calls", a.calls.size(), b.calls.size(), [](const Trace& t, Row row) {
        const auto& c = t.calls;
        return line(c.start[row], c.end[row], c.thread[row], t.text(c.name[row]), c.correlation[row], c.outer[row],
            c.step[row], c.result[row], c.api[row]);
    });
    d.table("syncs", a.syncs.size(), b.syncs.size(), [](const Trace& t, Row row) {
        const auto& s = t.syncs[row];
        return line(s.start, s.end, s.call, s.stream, s.process, s.context, s.event_id, s.event_sync, s.type);
    });
    d.table("events", a.events.size(), b.events.size(), [](const Trace& t, Row row) {
        const auto& e = t.events[row];
        return line(e.time, e.device_time, e.call, e.stream, e.event_id, e.event_sync);
    });
    d.table("ranges", a.ranges.size(), b.ranges.size(), [](const Trace& t, Row row) {
        const auto& r = t.ranges[row];
        return line(r.start, r.end, r.thread, t.text(r.name), t.text(r.domain), r.color, r.depth, r.open, r.mark);
    });
    d.table("autograd", a.autograd.size(), b.autograd.size(), [](const Trace& t, Row row) {
        const auto& x = t.autograd[row];
        return line(x.range, x.forward, x.number, x.forward_thread);
    });
    d.table("host spans", a.host_spans.size(), b.host_spans.size(), [](const Trace& t, Row row) {
        const auto& s = t.host_spans[row];
        return line(s.start, s.end, s.thread, t.text(s.name), s.type);
    });
    d.table("host functions", a.host_functions.size(), b.host_functions.size(), [](const Trace& t, Row row) {
        const auto& f = t.host_functions[row];
        return line(f.start, f.end, f.call, f.stream, f.timed);
    });
    d.table("query spins", a.query_spins.size(), b.query_spins.size(), [](const Trace& t, Row row) {
        const auto& s = t.query_spins[row];
        return line(s.start, s.end, s.call, s.queries, s.succeeded);
    });
    d.table("counters", a.counters.size(), b.counters.size(), [](const Trace& t, Row row) {
        const auto& c = t.counters[row];
        return line(c.process, c.device, t.text(c.name), c.unit, c.samples.begin, c.samples.end);
    });
    d.table("samples", a.samples.size(), b.samples.size(), [](const Trace& t, Row row) {
        return line(t.samples.time[row], std::bit_cast<std::int64_t>(t.samples.value[row]));
    });
    d.table("reads", a.reads.size(), b.reads.size(), [](const Trace& t, Row row) {
        const auto& r = t.reads[row];
        return line(r.start, r.end, r.thread, t.text(r.buffer), r.bytes, r.wrong_bytes, r.expect_stale);
    });
    d.table("steps", a.steps.size(), b.steps.size(), [](const Trace& t, Row row) {
        const auto& s = t.steps[row];
        return line(s.start, s.thread, s.step, s.instruction);
    });
    d.table("overheads", a.overheads.size(), b.overheads.size(), [](const Trace& t, Row row) {
        const auto& o = t.overheads[row];
        return line(o.start, o.end, o.thread, o.call, o.type);
    });
    d.table("memory", a.memory.size(), b.memory.size(), [](const Trace& t, Row row) {
        const auto& m = t.memory[row];
        return line(m.time, m.address, m.bytes, m.call, m.stream, m.process, m.device, m.operation, m.memory, m.async);
    });
    d.table("errors", a.errors.size(), b.errors.size(), [](const Trace& t, Row row) {
        const auto& e = t.errors[row];
        return line(e.time, e.thread, e.step, e.code, t.text(e.message));
    });
    return d.result;
}

}  // namespace lanes
