// SPDX-License-Identifier: MIT
// What of a recording belongs together: an API call and the operations that it issued, an event's record and what waits
// for it, an operation and the wait that it released, an operator of PyTorch's and its backward. What the arrows are
// drawn from, and what `[` and `]` follow.
//
// Made once from a recording, on the thread that opened it, and constant. Trace and Blocking must outlive it. Cost:
// linear in the operations, n log n in records, waits and backward operators; 4 bytes a call, 32 a wait, 8 an operator.
// To ask: a binary search.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/trace/event.h"

#include <vector>

namespace lanes {

/// Where a link begins or ends: an event, or of an API call one of the stretches in which it was blocked.
struct LinkEnd {
    EventRef event;
    Row stretch = no_row;  ///< into Blocking::calls, of the call that `event` is; no_row: the event as a whole

    LinkEnd() = default;
    LinkEnd(EventRef event_, Row stretch_ = no_row)
        : event(event_)
        , stretch(stretch_)
    {
    }  // NOLINT: an event is an end
    explicit operator bool() const { return static_cast<bool>(event); }
    friend bool operator==(const LinkEnd&, const LinkEnd&) = default;
};

struct Link {
    enum class Kind : std::uint8_t {
        issue,  ///< a call -> its first operation
        release,  ///< an operation -> the blocked stretch that it ended
        event,  ///< through a cudaEvent: the call that records it -> the call that waits, or the last operation before
                ///< the record -> the first one behind the wait
        backward,  ///< an operator of PyTorch's -> the range in which autograd works for it
    };
    Kind kind = Kind::issue;
    LinkEnd from, to;
    friend bool operator==(const Link&, const Link&) = default;
};

class Links {
public:
    Links() = default;
    Links(const Trace& trace, const Blocking& blocking);

    /// All links at an event or stretch, at most `most`; a call that was blocked has those of all its stretches.
    std::vector<Link> of(LinkEnd at, std::size_t most = 64) const;
    /// What `[` goes to: the call of an operation, what released a wait, the record that a waiting call waits for, the
    /// last operation before a record.
    LinkEnd cause_of(LinkEnd at) const;
    /// What `]` goes to: what a call issued, the wait that an operation released, what waits for a record.
    LinkEnd effect_of(LinkEnd at) const;
    /// The first operation that an outermost call issued; no_row if there is none.
    Row issued_by(Row call) const { return call < m_first_operation.size() ? m_first_operation[call] : no_row; }

private:
    /// One wait for one record.
    struct LinkedEvent {
        Row record_call, wait_call;  ///< no_row where the recording has no call
        Row before, behind;  ///< operations; no_row where there is none, or where the host waits
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
