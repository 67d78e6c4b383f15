// SPDX-License-Identifier: MIT
// Names one thing in a recording: which table of the Trace, and which row. This is
// what panels, timeline and commands pass to one another as "the selection".
#pragma once

#include "engine/trace/trace.h"

namespace lanes::gui {

struct EventRef {
    enum class Kind : std::uint8_t { none, operation, call, range, host_span, read };
    Kind kind = Kind::none;
    Row row = no_row;

    explicit operator bool() const { return kind != Kind::none; }
    friend bool operator==(const EventRef&, const EventRef&) = default;
};

/// Start and end; {0, 0} for none.
struct EventSpan {
    Ns start = 0, end = 0;
};
inline EventSpan span_of(const Trace& trace, EventRef event)
{
    switch (event.kind) {
    case EventRef::Kind::none: break;
    case EventRef::Kind::operation: return {trace.operations.start[event.row], trace.operations.end[event.row]};
    case EventRef::Kind::call: return {trace.calls.start[event.row], trace.calls.end[event.row]};
    case EventRef::Kind::range: return {trace.ranges[event.row].start, trace.ranges[event.row].end};
    case EventRef::Kind::host_span: return {trace.host_spans[event.row].start, trace.host_spans[event.row].end};
    case EventRef::Kind::read: return {trace.reads[event.row].start, trace.reads[event.row].end};
    }
    return {};
}

}  // namespace lanes::gui
