// SPDX-License-Identifier: MIT
// Whether a Trace keeps what its header promises.
#pragma once

#include "engine/trace/trace.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace lanes {

/// "" if every invariant of engine/trace/trace.h holds, else the one that does not.
inline std::string unsoundness(const Trace& t)
{
    const auto row_in = [](Row row, std::size_t size) { return row == no_row || row < size; };
    const auto& o = t.operations;
    const auto size = o.size();
    if (o.end.size() != size || o.stream.size() != size || o.name.size() != size || o.correlation.size() != size
        || o.call.size() != size || o.detail.size() != size || o.kind.size() != size) {
        return "columns of operations differ in length";
    }
    for (Row row = 0; row < size; ++row) {
        const auto details = o.kind[row] == OperationKind::kernel ? t.kernels.size()
            : o.kind[row] == OperationKind::memset                ? t.memsets.size()
                                                                  : t.copies.size();
        if (o.stream[row] >= t.streams.size() || !row_in(o.call[row], t.calls.size()) || o.detail[row] >= details
            || o.name[row] >= t.strings.size()) {
            return "operation " + std::to_string(row) + " points nowhere";
        }
        if (o.end[row] < o.start[row] || o.end[row] > t.duration) {
            return "operation " + std::to_string(row) + " ends at a wrong time";
        }
        if (row > 0
            && std::tuple(o.stream[row - 1], o.start[row - 1], o.end[row - 1])
                > std::tuple(o.stream[row], o.start[row], o.end[row])) {
            return "operations are not sorted";
        }
    }
    Row of_streams = 0;
    for (Row stream = 0; stream < t.streams.size(); ++stream) {
        const auto rows = t.operations_of(stream);
        for (auto row = rows.begin; row < rows.end; ++row) {
            if (o.stream[row] != stream) {
                return "an operation lies among those of another stream";
            }
        }
        of_streams += static_cast<Row>(rows.size());
    }
    if (of_streams != size) {
        return "the streams' operations are not all there are";
    }
    const auto kernels = static_cast<std::size_t>(std::count(o.kind.begin(), o.kind.end(), OperationKind::kernel));
    if (t.kernels.size() > kernels || kernels + t.copies.size() + t.memsets.size() != size) {
        return "details and operations differ in number";
    }
    const auto& c = t.calls;
    if (c.end.size() != c.size() || c.thread.size() != c.size() || c.name.size() != c.size()
        || c.outer.size() != c.size() || c.correlation.size() != c.size() || c.step.size() != c.size()
        || c.result.size() != c.size() || c.api.size() != c.size()) {
        return "columns of calls differ in length";
    }
    for (Row row = 0; row < c.size(); ++row) {
        const auto outer = c.outer[row];
        if (!row_in(c.thread[row], t.threads.size()) || !row_in(outer, c.size()) || c.name[row] >= t.strings.size()) {
            return "call " + std::to_string(row) + " points nowhere";
        }
        if (outer != no_row
            && (c.outer[outer] != no_row || c.start[outer] > c.start[row] || c.end[outer] < c.end[row]
                || c.thread[outer] != c.thread[row])) {
            return "call " + std::to_string(row) + " is not inside its outer call";
        }
        if (c.end[row] < c.start[row] || c.end[row] > t.duration) {
            return "call " + std::to_string(row) + " ends at a wrong time";
        }
        if (row > 0 && std::pair(c.start[row - 1], c.end[row - 1]) > std::pair(c.start[row], c.end[row])) {
            return "calls are not sorted";
        }
    }
    std::string wrong;
    const auto check = [&](const char* name, const auto& table, auto sound) {
        using Item = typename std::remove_cvref_t<decltype(table)>::value_type;
        const auto key = [](const Item& item) {
            if constexpr (requires { item.end; }) {
                return std::pair(item.start, item.end);
            } else if constexpr (requires { item.start; }) {
                return std::pair(item.start, item.start);
            } else {
                return std::pair(item.time, item.time);
            }
        };
        for (std::size_t i = 0; i < table.size(); ++i) {
            if (!sound(table[i]) || key(table[i]).second < key(table[i]).first || key(table[i]).second > t.duration
                || (i > 0 && key(table[i - 1]) > key(table[i]))) {
                wrong = std::string(name) + " " + std::to_string(i) + " is not sound";
            }
        }
    };
    const auto on_thread = [&](const auto& item) { return row_in(item.thread, t.threads.size()); };
    check(
        "sync", t.syncs, [&](const Sync& s) { return row_in(s.call, c.size()) && row_in(s.stream, t.streams.size()); });
    check("event", t.events,
        [&](const Event& e) { return row_in(e.call, c.size()) && row_in(e.stream, t.streams.size()); });
    check("range", t.ranges, on_thread);
    for (std::size_t i = 0; i < t.range_values.size(); ++i) {
        const auto& v = t.range_values[i];
        if (v.range >= t.ranges.size() || t.ranges[v.range].mark || v.type > RangeValueRecord::id
            || (i > 0 && t.range_values[i - 1].range > v.range)) {
            wrong = "range value " + std::to_string(i) + " is not sound";
        }
    }
    for (std::size_t i = 1; i < t.clocks.size(); ++i) {
        if (t.clocks[i - 1].monotonic > t.clocks[i].monotonic) {
            wrong = "clock " + std::to_string(i) + " goes back";
        }
    }
    for (std::size_t i = 0; i < t.autograd.size(); ++i) {
        const auto& a = t.autograd[i];
        if (a.range >= t.ranges.size() || !row_in(a.forward, t.ranges.size())
            || (i > 0 && t.autograd[i - 1].range >= a.range)) {
            wrong = "autograd " + std::to_string(i) + " is not sound";
        }
    }
    check("host span", t.host_spans, on_thread);
    check("host function", t.host_functions,
        [&](const HostFunction& f) { return row_in(f.call, c.size()) && row_in(f.stream, t.streams.size()); });
    check("query spin", t.query_spins, [&](const QuerySpin& s) { return s.call < c.size(); });
    check("graph node", t.graph_nodes, on_thread);
    check("read", t.reads, on_thread);
    check("step", t.steps, on_thread);
    check("overhead", t.overheads, [&](const Overhead& x) { return on_thread(x) && row_in(x.call, c.size()); });
    check("memory event", t.memory,
        [&](const MemoryEvent& m) { return row_in(m.call, c.size()) && row_in(m.stream, t.streams.size()); });
    check("error", t.errors, on_thread);
    Row next = 0;
    for (const auto& k : t.counters) {
        const bool follows = k.samples.begin == next && k.samples.end > next && k.samples.end <= t.samples.size();
        next = k.samples.end;
        const bool known = k.device == no_id
            || std::any_of(t.devices.begin(), t.devices.end(), [&](const Device& x) { return x.id == k.device; });
        const bool owned
            = std::any_of(t.processes.begin(), t.processes.end(), [&](const Process& p) { return p.id == k.process; });
        const auto time = t.samples.time.begin();
        if (!follows || !known || !owned || !std::is_sorted(time + k.samples.begin, time + k.samples.end)
            || t.samples.time[k.samples.end - 1] > t.duration) {
            wrong = "a counter is not sound";
        }
    }
    if (next != t.samples.size() || t.samples.time.size() != t.samples.value.size()) {
        wrong = "samples of no counter";
    }
    return wrong;
}

}  // namespace lanes
