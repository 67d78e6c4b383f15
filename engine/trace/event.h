// SPDX-License-Identifier: MIT
// Facts about an event (event_ref.h defines it). Only this file knows in which table of the Trace each fact is stored.
//
// Unless said otherwise, functions need a valid row of the table and cost a few array accesses.
#pragma once

#include "engine/trace/event_ref.h"
#include "engine/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lanes {

/// "pageable", "device_static", …
std::string_view name_of(MemoryKind kind);

/// How many rows a table has.
std::size_t size_of(const Trace& trace, EventTable table);

/// Calls `use(rows)` with one of the tables that are kept as rows: all but operations and calls, which are columns.
template <class Use> decltype(auto) visit_rows(const Trace& trace, EventTable table, Use use)
{
    return table == EventTable::ranges    ? use(trace.ranges)
        : table == EventTable::host_spans ? use(trace.host_spans)
                                          : use(trace.reads);
}

inline Interval span_of(const Trace& trace, EventRef event)
{
    switch (event.table) {
    case EventTable::none:
        return {};
    case EventTable::operations:
        return {trace.operations.start[event.row], trace.operations.end[event.row]};
    case EventTable::calls:
        return {trace.calls.start[event.row], trace.calls.end[event.row]};
    default:
        return visit_rows(trace, event.table, [&](const auto& rows) {
            return Interval {rows[event.row].start, rows[event.row].end};
        });
    }
}

/// The stream of an operation (into Trace::streams); the thread of any other event (into Trace::threads, or no_row).
inline Row lane_of(const Trace& trace, EventRef event)
{
    switch (event.table) {
    case EventTable::none:
        return no_row;
    case EventTable::operations:
        return trace.operations.stream[event.row];
    case EventTable::calls:
        return trace.calls.thread[event.row];
    default:
        return visit_rows(trace, event.table, [&](const auto& rows) { return rows[event.row].thread; });
    }
}

/// The name as shown; the buffer of a read.
inline StringId name_of(const Trace& trace, EventRef event)
{
    switch (event.table) {
    case EventTable::none:
        return 0;
    case EventTable::operations:
        return trace.operations.name[event.row];
    case EventTable::calls:
        return trace.calls.name[event.row];
    case EventTable::ranges:
        return trace.ranges[event.row].name;
    case EventTable::host_spans:
        return trace.host_spans[event.row].name;
    case EventTable::reads:
        return trace.reads[event.row].buffer;
    }
    return 0;
}

EventKind kind_of(const Trace& trace, EventRef event);

/// The call that issued an operation; a call itself; else no_row.
Row call_of(const Trace& trace, EventRef event);

/// The correlation id of an operation or a call; 0: none.
std::uint32_t correlation_of(const Trace& trace, EventRef event);

/// Bytes that an operation moves or sets, or that a read reads; else 0.
std::uint64_t bytes_of(const Trace& trace, EventRef event);

/// The step of the workload that made the event (into Program::steps): that of its call, else the one at which its
/// thread was when the event began; no_id: none. Cost: log n, and the steps of other threads in between.
std::uint32_t step_of(const Trace& trace, EventRef event);

}  // namespace lanes
