// SPDX-License-Identifier: MIT
// Links between events: an API call and the operations that it issued, the record of a cudaEvent and what waits for it,
// an operation and the wait that it released, a PyTorch operator and its backward. Arrows are drawn from them, and the
// keys `[` and `]` follow them.
//
// They are made once when a recording is opened, and not changed. Trace and Blocking must outlive them. Cost: linear in
// the operations, n log n in records, waits and backward operators; 4 bytes a call, 32 a wait, 8 an operator. A query
// is a binary search.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/trace/event_ref.h"

#include <vector>

namespace lanes {

/// One end of a link: an event, or one of the blocked stretches of an API call.
struct LinkEnd {
    EventRef event;
    Row stretch = no_row;  ///< into Blocking::calls, a stretch of the call `event`; no_row: the event as a whole

    LinkEnd() = default;
    LinkEnd(EventRef event_, Row stretch_ = no_row)
        : event(event_)
        , stretch(stretch_)
    {
    }  // NOLINT: implicit, an event is an end
    explicit operator bool() const { return static_cast<bool>(event); }
    friend bool operator==(const LinkEnd&, const LinkEnd&) = default;
};

struct Link {
    enum class Kind : std::uint8_t {
        issue,  ///< a call -> its first operation
        release,  ///< an operation -> the blocked stretch that it ended
        event,  ///< through a cudaEvent: the call that records it -> the call that waits, or the last operation before
                ///< the record -> the first operation after the wait
        backward,  ///< a PyTorch operator -> the range of its backward
    };
    Kind kind = Kind::issue;
    LinkEnd from, to;
    friend bool operator==(const Link&, const Link&) = default;
};

class Links {
public:
    Links() = default;
    Links(const Trace& trace, const Blocking& blocking);

    /// The links at an event or stretch, at most `most`; a blocked call has those of all its stretches.
    std::vector<Link> of(LinkEnd at, std::size_t most = 64) const;
    /// Where `[` goes: to the call of an operation, what released a wait, the record that a call waits for, the last
    /// operation before a record.
    LinkEnd cause_of(LinkEnd at) const;
    /// Where `]` goes: to what a call issued, the wait that an operation released, what waits for a record.
    LinkEnd effect_of(LinkEnd at) const;
    /// The first operation that an outermost call issued; no_row if there is none.
    Row issued_by(Row call) const { return call < m_first_operation.size() ? m_first_operation[call] : no_row; }

private:
    /// One wait for one record.
    struct LinkedEvent {
        Row record_call, wait_call;  ///< no_row: not recorded
        Row before, behind;  ///< operations before the record and after the wait; no_row: none, or the host waits
    };
    template <class Field> std::vector<std::uint32_t> ordered_by(Field field) const;
    template <class Field, class Found>
    void each_with(const std::vector<std::uint32_t>& order, Field field, Row value, Found found) const;
    void link_events(const Trace& trace);
    LinkEnd stretch_end(Row stretch) const;

    const Trace* m_trace = nullptr;
    const Blocking* m_blocking = nullptr;
    std::vector<Row> m_first_operation;  // by outermost call
    std::vector<std::pair<Row, Row>> m_backward;  // (range, what is backward of it)
    std::vector<std::pair<Row, Row>> m_released;  // (operation, blocked stretch)
    std::vector<LinkedEvent> m_events;
    std::vector<std::uint32_t> m_by_record, m_by_wait, m_by_before, m_by_behind;  // into m_events
};

}  // namespace lanes
