// SPDX-License-Identifier: MIT
// One row of a lane: items that do not overlap, so that their lengths add up to the row's busy time. The items are in a
// table of the Trace (or of LaneBuilder); a row has only their places and an index.
#pragma once

#include "gui/lanes/item_ref.h"
#include "gui/lanes/occupancy_index.h"
#include "gui/lanes/row_items.h"
#include "gui/lanes/stack_levels.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace lanes::gui {

struct LaneRow {
    ItemKind kind = ItemKind::none;
    RowItems items;
    OccupancyIndex index;
    bool overlay = false;  ///< drawn over the row before it
    /// Of a row that a folded stack shows: its ranges are in rows of all depths, too, which come before.
    std::optional<StackLevel> level = {};
    std::uint8_t shade = 0;  ///< how deep its operators lie in one another: Theme::item()
    std::vector<Ns> costs;  ///< of a row of held waits: what those before each item cost; one more at the end

    /// If stopped before its end, the row is unusable and may only be destroyed.
    LaneRow(ItemKind kind_, RowItems items_, const std::stop_token& stop = {});

    ItemRef itemAt(std::size_t i) const { return {kind, items.place(i)}; }
    /// Busy time in [start, end) in ns, exact. Cost: log n.
    Ns busyIn(Ns start, Ns end) const;
    /// What held waits cost in [start, end), of one that reaches out of it in proportion; 0 of other rows. Cost: log n.
    Ns costIn(Ns start, Ns end) const;
    /// Of the items that touch [from, to] the one nearest to `time`; size() if there is none. Cost: log n.
    std::size_t nearest(Ns from, Ns time, Ns to) const;
    /// Its number; nothing where it is in another row. `start`: the item's. Cost: log n.
    std::optional<std::size_t> find(ItemRef item, Ns start) const;
    /// Memory, without the recording.
    std::size_t bytes() const { return items.bytes() + index.bytes() + costs.capacity() * sizeof(Ns); }
};

/// Splits items into as few rows as possible without overlap: each goes into the first free row. Sorts `places` by
/// start, longer items first, so that nested ranges are below the ranges around them. Items without length take up
/// room, too. Cost: linear for sorted items and few rows. Returns nothing if stopped.
std::vector<std::vector<Row>> splitIntoRows(
    std::vector<Row> places, const TimeColumn& start, const TimeColumn& end, const std::stop_token& stop = {});

/// The rows of items [first, last) of a table: a single row without a list of places if they do not overlap and are
/// sorted, else the rows of splitIntoRows().
std::vector<RowItems> rowsOf(const TimeColumn& start, const TimeColumn& end, const RoleColumn& role, Row first,
    Row last, const std::stop_token& stop = {});

}  // namespace lanes::gui
