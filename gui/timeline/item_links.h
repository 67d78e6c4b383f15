// SPDX-License-Identifier: MIT
// What of a recording belongs together: an API call and the operations that it issued, an event's record and what waits
// for it, an operation and the wait that it released. What the arrows are drawn from, and what `[` and `]` follow.
//
// Made once from a recording, on the thread that opened it, and constant. Cost: linear in the operations, n log n in
// records and waits; 4 bytes a call, 32 a wait. To ask: a binary search.
#pragma once

#include "engine/analysis/blocking.h"
#include "gui/lanes/lane_row.h"

#include <vector>

namespace lanes::gui {

struct ItemLink {
    enum class Kind : std::uint8_t {
        issue,  ///< a call -> its first operation
        release,  ///< an operation -> the blocked stretch that it ended
        event,  ///< through an event: the call that records it -> the call that waits, or the last operation before
                ///< the record -> the first one behind the wait
    };
    Kind kind = Kind::issue;
    ItemRef from, to;
    friend bool operator==(const ItemLink&, const ItemLink&) = default;
};

class ItemLinks {
public:
    ItemLinks() = default;
    ItemLinks(const Trace& trace, const Blocking& blocking);

    /// All links at an item, at most `most`; a call that was blocked has those of its blocked stretches.
    std::vector<ItemLink> of(ItemRef item, std::size_t most = 64) const;
    /// What `[` goes to: the call of an operation, what released a wait, the record that a waiting call waits for, the
    /// last operation before a record.
    ItemRef causeOf(ItemRef item) const;
    /// What `]` goes to: what a call issued, the wait that an operation released, what waits for a record.
    ItemRef effectOf(ItemRef item) const;

    /// Links through events, by nothing: for those in sight, ask the items in sight.
    std::size_t eventLinks() const { return m_events.size(); }

private:
    /// One wait for one record.
    struct EventWait {
        Row record_call, wait_call;  ///< no_row where the recording has no call
        Row before, behind;  ///< operations; no_row where there is none, or where the host waits
    };
    template <class Field> std::vector<std::uint32_t> orderedBy(Field field) const;
    template <class Field, class Found>
    void eachWith(const std::vector<std::uint32_t>& order, Field field, Row value, Found found) const;
    void linkEvents(const Trace& trace);
    ItemRef blockedOf(Row call) const;

    const Trace* m_trace = nullptr;
    const Blocking* m_blocking = nullptr;
    std::vector<Row> m_firstOperation;  // by outermost call
    std::vector<std::pair<Row, Row>> m_released;  // (operation, blocked stretch)
    std::vector<std::pair<Row, Row>> m_blockedCalls;  // (call, blocked stretch)
    std::vector<EventWait> m_events;
    std::vector<std::uint32_t> m_byRecord, m_byWait, m_byBefore, m_byBehind;  // into m_events
};

}  // namespace lanes::gui
