// SPDX-License-Identifier: MIT
#include "engine/trace/event.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr std::array<std::string_view, 14> kind_names {
    "kernel", "h2d", "d2h", "d2d", "p2p", "h2h", "memset", "call", "range", "mark", "work", "staging", "wait", "read"};

constexpr std::array<std::string_view, 7> short_names {"kernel", "H2D", "D2H", "D2D", "P2P", "H2H", "memset"};
constexpr std::array<std::string_view, 8> memory_names {
    "unknown", "pageable", "pinned", "device", "array", "managed", "device_static", "managed_static"};

/// The step at which a thread was at that time.
std::uint32_t step_at(const Trace& trace, Row thread, Ns time)
{
    auto step = std::partition_point(
        trace.steps.begin(), trace.steps.end(), [&](const Step& each) { return each.start <= time; });
    while (step != trace.steps.begin()) {
        --step;
        if (step->thread == thread) {
            return step->step;
        }
    }
    return no_id;
}

}  // namespace

std::string_view name_of(EventKind kind)
{
    return kind_names.at(static_cast<std::size_t>(kind));
}

std::string_view short_name_of(OperationKind kind)
{
    return short_names.at(static_cast<std::size_t>(kind));
}

std::string_view name_of(MemoryKind kind)
{
    return memory_names[static_cast<std::size_t>(kind) % memory_names.size()];
}

std::size_t size_of(const Trace& trace, EventTable table)
{
    switch (table) {
    case EventTable::none:
        return 0;
    case EventTable::operations:
        return trace.operations.size();
    case EventTable::calls:
        return trace.calls.size();
    default:
        return visit_rows(trace, table, [](const auto& rows) { return rows.size(); });
    }
}

EventKind kind_of(const Trace& trace, EventRef event)
{
    switch (event.table) {
    case EventTable::operations:
        return kind_of(trace.operations.kind[event.row]);
    case EventTable::ranges:
        return trace.ranges[event.row].mark ? EventKind::mark : EventKind::range;
    case EventTable::host_spans:
        switch (trace.host_spans[event.row].type) {
        case HostSpanRecord::work:
            return EventKind::work;
        case HostSpanRecord::staging:
            return EventKind::staging;
        default:
            return EventKind::wait;
        }
    case EventTable::reads:
        return EventKind::read;
    default:
        return EventKind::call;
    }
}

Row call_of(const Trace& trace, EventRef event)
{
    return event.table == EventTable::operations ? trace.operations.call[event.row]
        : event.table == EventTable::calls       ? event.row
                                                 : no_row;
}

std::uint32_t correlation_of(const Trace& trace, EventRef event)
{
    return event.table == EventTable::operations ? trace.operations.correlation[event.row]
        : event.table == EventTable::calls       ? trace.calls.correlation[event.row]
                                                 : 0;
}

std::uint64_t bytes_of(const Trace& trace, EventRef event)
{
    return event.table == EventTable::operations ? trace.bytes_of(event.row)
        : event.table == EventTable::reads       ? trace.reads[event.row].bytes
                                                 : 0;
}

std::uint32_t step_of(const Trace& trace, EventRef event)
{
    if (event.table == EventTable::operations || event.table == EventTable::calls) {
        const Row call = call_of(trace, event);
        if (call == no_row || trace.calls.step[call] != no_id) {
            return call == no_row ? no_id : trace.calls.step[call];
        }
        return step_at(trace, trace.calls.thread[call], trace.calls.start[call]);
    }
    if (event.table == EventTable::host_spans || event.table == EventTable::reads) {
        return step_at(trace, lane_of(trace, event), span_of(trace, event).start);
    }
    return no_id;
}

}  // namespace lanes
