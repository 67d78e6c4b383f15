// SPDX-License-Identifier: MIT
// One event of a recording: something that a stream or a thread did, from when to when. It is what is searched, listed,
// linked, drawn and shown as evidence, and this is the one place that knows in which table each fact of it lies.
//
// An EventRef refers to an operation of a stream, or to an API call, a range (or mark), a host span or a read of a
// thread. It never refers to what only says more about one of these (a sync, an overhead, a cudaEvent's record: struct
// Event of trace.h, made by a call), nor to what was computed from the recording (a blocked stretch, an overlap).
//
// Valid as long as its Trace. Every function asks for a reference that holds a row of its table; cost: array accesses,
// except for step_of.
#pragma once

#include "engine/trace/trace.h"

#include <array>

namespace lanes {

enum class EventTable : std::uint8_t { none, operations, calls, ranges, host_spans, reads };
inline constexpr std::array event_tables {
    EventTable::operations, EventTable::calls, EventTable::ranges, EventTable::host_spans, EventTable::reads};

struct EventRef {
    EventTable table = EventTable::none;
    Row row = no_row;

    explicit operator bool() const { return table != EventTable::none; }
    friend bool operator==(const EventRef&, const EventRef&) = default;
};

/// What an event is, in the order of OperationKind as far as that goes; name_of() gives its word.
enum class EventKind : std::uint8_t {
    kernel,
    h2d,
    d2h,
    d2d,
    p2p,
    h2h,
    memset,
    call,
    range,
    mark,
    work,
    staging,
    wait,
    read
};

constexpr EventKind kind_of(OperationKind kind)
{
    return static_cast<EventKind>(kind);
}

/// "kernel", "h2d", … "call", "range", "mark", "work", "staging", "wait", "read".
std::string_view name_of(EventKind kind);

/// "H2D", …, "memset", "kernel": as lanes and figures write it.
std::string_view short_name_of(OperationKind kind);
/// "pageable", "device_static", …
std::string_view name_of(MemoryKind kind);

/// How many rows a table has.
std::size_t size_of(const Trace& trace, EventTable table);

/// Calls `use(rows)` with the table of anything but operations and calls, which are kept in columns.
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

/// Of an operation its stream (into Trace::streams), of anything else its thread (into Trace::threads, or no_row).
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

/// As shown; of a read its buffer.
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

/// The call that issued an operation, as the record names it; of a call itself; else no_row.
Row call_of(const Trace& trace, EventRef event);

/// That joins an operation or a call to its records; 0: none.
std::uint32_t correlation_of(const Trace& trace, EventRef event);

/// What an operation moves or sets, what a read reads; else 0.
std::uint64_t bytes_of(const Trace& trace, EventRef event);

/// The workload's step (index into its Program's steps) that made the event: the call's own, else the step its thread
/// was at when the event began; no_id: none. Cost: log n, and the steps of other threads that lie between.
std::uint32_t step_of(const Trace& trace, EventRef event);

}  // namespace lanes
