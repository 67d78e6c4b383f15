// SPDX-License-Identifier: MIT
// The events of one recording that a query finds: in order, to go from one to the next, and as flags, to draw them.
//
// Order is by start; at the same ns operations come before what the host did, lane by lane. Constant once found.
// Cost: to find, that of QueryMatcher for every event, and 4 bytes a hit; then one bit an event. To go on, and to say
// which of how many a hit is, log n in the hits for every lane.
#pragma once

#include "engine/analysis/query_matcher.h"
#include "gui/timeline/recording.h"

#include <atomic>
#include <optional>

namespace lanes::gui {

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
    /// Driver calls inside of runtime calls stand in no lane and are not looked at. Stops early, with what it has,
    /// when `cancelled` becomes true.
    QueryHits(RecordingPtr recording, const Query& query, const std::atomic<bool>& cancelled);

    std::size_t size() const { return m_size; }
    bool contains(ItemRef item) const;
    /// Flags of the table that items of this kind lie in.
    const RowFlags& flags(ItemKind kind) const { return m_flags[static_cast<std::size_t>(kind)]; }

    ItemRef first() const { return from(INT64_MIN); }
    ItemRef last() const { return before(INT64_MAX); }
    /// The first hit that starts at `time` or later; the last that starts before it. No item if there is none.
    ItemRef from(Ns time) const;
    ItemRef before(Ns time) const;
    /// The neighbours of a hit; no item at the ends.
    ItemRef next(ItemRef hit) const;
    ItemRef previous(ItemRef hit) const;
    /// How many hits come before this one.
    std::size_t rank(ItemRef hit) const;

    /// The columns of `ns` nanoseconds, the first of which begins at `from`, in which a hit starts.
    std::vector<bool> columns(Ns from, double ns, std::size_t count) const;

private:
    /// The hits of one lane and one table, by start.
    struct List {
        ItemKind kind;
        std::vector<Row> rows;
    };
    struct Place {
        std::size_t list, at;
    };
    Ns startOf(const List& list, std::size_t at) const;
    std::size_t countBefore(const List& list, Ns time, bool withEqual) const;
    std::optional<Place> find(ItemRef hit) const;
    /// Of the hits that stand at placeOf(i) of list i, the earliest; of those before it, the latest.
    template <class PlaceOf>
    ItemRef earliest(PlaceOf placeOf) const;
    template <class PlaceOf>
    ItemRef latestBefore(PlaceOf placeOf) const;
    ItemRef itemAt(Place place) const { return {m_lists[place.list].kind, m_lists[place.list].rows[place.at]}; }

    RecordingPtr m_recording;
    std::vector<List> m_lists;
    std::array<RowFlags, 8> m_flags;  // by ItemKind
    std::size_t m_size = 0;
};

}  // namespace lanes::gui
