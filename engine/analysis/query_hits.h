// SPDX-License-Identifier: MIT
// The events of one recording that a query finds: in the order of time, to go from one to the next, and as flags, to
// draw them.
//
// Constant once found. Cost: to find, that of QueryMatcher for every event and of EventList; one more bit an event.
#pragma once

#include "engine/analysis/query/event_list.h"
#include "engine/analysis/query/query_matcher.h"
#include "engine/analysis/recording.h"

namespace lanes {

/// One bit a row of a table.
class RowFlags {
public:
    RowFlags() = default;
    explicit RowFlags(std::size_t rows)
        : m_words((rows + 63) / 64)
    {
    }
    void set(std::size_t row) { m_words[row / 64] |= std::uint64_t {1} << row % 64; }
    bool operator[](std::size_t row) const
    {
        return row / 64 < m_words.size() && (m_words[row / 64] >> row % 64 & 1U) != 0;
    }
    /// The first row from `row` on, before `end`, that is set; `end` if there is none. Linear in the words between.
    std::size_t next(std::size_t row, std::size_t end) const;

private:
    std::vector<std::uint64_t> m_words;
};

class QueryHits {
public:
    QueryHits() = default;
    /// Driver calls inside runtime calls are in no lane and are not looked at. Stopped half-way it is empty.
    QueryHits(const std::shared_ptr<const Recording>& recording, const Query& query, const std::stop_token& stop = {});
    /// Those for which `wanted` is true: for questions that are no query.
    QueryHits(
        std::shared_ptr<const Recording> recording, const EventList::Wanted& wanted, const std::stop_token& stop = {});

    const EventList& list() const { return m_list; }
    std::size_t size() const { return m_list.size(); }
    bool contains(EventRef event) const { return flags(event.table)[event.row]; }
    const RowFlags& flags(EventTable table) const { return m_flags[static_cast<std::size_t>(table)]; }

    EventRef first() const { return at(0); }
    EventRef last() const { return at(size() - 1); }
    /// The first hit that starts at `time` or later; the last that starts before it. No event if there is none.
    EventRef from(Ns time) const { return at(m_list.first_from(time)); }
    EventRef before(Ns time) const { return at(m_list.first_from(time) - 1); }
    /// The neighbours of a hit; no event at the ends.
    EventRef next(EventRef hit) const { return contains(hit) ? at(rank(hit) + 1) : EventRef {}; }
    EventRef previous(EventRef hit) const { return contains(hit) ? at(rank(hit) - 1) : EventRef {}; }
    /// How many hits come before this one.
    std::size_t rank(EventRef hit) const { return m_list.find(hit).value_or(0); }

    /// The columns of `ns` nanoseconds, the first of which begins at `from`, in which a hit starts. Cost: log n a
    /// column.
    std::vector<bool> columns(Ns from, double ns, std::size_t count) const;

private:
    EventRef at(std::size_t i) const { return i < size() ? m_list[i] : EventRef {}; }

    std::shared_ptr<const Recording> m_recording;
    EventList m_list;
    std::array<RowFlags, 6> m_flags;  ///< by EventTable
};

}  // namespace lanes
