// SPDX-License-Identifier: MIT
// EventRef: one thing that a stream or a thread did, from when to when, by its place in the Trace; and the kinds of
// events. Events are what the user searches, lists, links, draws and gets as evidence. event.h has the facts about an
// event.
//
// An event is an operation of a stream, or an API call, a range (or mark), a host span or a read of a thread. These are
// no events: records that add to one (a sync, an overhead, the record of a cudaEvent: struct Event of trace.h), and
// what was computed from the recording (a blocked stretch, an overlap).
//
// An EventRef is valid as long as its Trace.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lanes {

using Row = std::uint32_t;
inline constexpr Row no_row = 0xFFFFFFFFU;

enum class OperationKind : std::uint8_t { kernel, h2d, d2h, d2d, p2p, h2h, memset };

/// True of everything that moves data between two places.
constexpr bool is_copy(OperationKind kind)
{
    return kind != OperationKind::kernel && kind != OperationKind::memset;
}

enum class EventTable : std::uint8_t { none, operations, calls, ranges, host_spans, reads };
inline constexpr std::array event_tables {
    EventTable::operations, EventTable::calls, EventTable::ranges, EventTable::host_spans, EventTable::reads};

struct EventRef {
    EventTable table = EventTable::none;
    Row row = no_row;

    explicit operator bool() const { return table != EventTable::none; }
    friend bool operator==(const EventRef&, const EventRef&) = default;
};

/// The first values are those of OperationKind, in the same order.
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

/// "H2D", …, "memset", "kernel": as in lanes and tables of figures.
std::string_view short_name_of(OperationKind kind);

}  // namespace lanes
