// SPDX-License-Identifier: MIT
// One row of a lane: items that follow one another without overlapping, so that
// their lengths add up to the row's busy time. The items lie in a table of the
// Trace (or beside it); a row keeps where they lie and its index, nothing else.
#pragma once

#include "gui/lanes/item_ref.h"
#include "gui/lanes/occupancy_index.h"
#include "gui/lanes/row_items.h"

#include <stop_token>
#include <vector>

namespace lanes::gui {

struct LaneRow {
    ItemKind kind = ItemKind::none;
    RowItems items;
    OccupancyIndex index;
    bool overlay = false;  ///< drawn over the row before it, in its place
    bool hatched = false;

    /// Stopped half-way its index is empty: it may only be destroyed.
    LaneRow(ItemKind kind_, RowItems items_, const std::stop_token& stop = {});

    ItemRef itemAt(std::size_t i) const { return {kind, items.place(i)}; }
    /// Busy time of [start, end) in ns, exact. log n.
    Ns busyIn(Ns start, Ns end) const;
    /// The item nearest to `time` of those that touch [from, to]; size() if there is none. log n.
    std::size_t nearest(Ns from, Ns time, Ns to) const;
    /// Beside the recording itself.
    std::size_t bytes() const { return items.bytes() + index.bytes(); }
};

/// Splits items into as few rows as they need so that none overlaps another in its row: each goes into the first row
/// that is free. `places` are sorted by start; at equal starts the longer comes first, so that
/// nested ranges lie under the ones around them. Items without length get room of their own.
/// Linear where they are sorted already and rows are few. Stopped half-way it returns nothing.
std::vector<std::vector<Row>> splitIntoRows(
    std::vector<Row> places, const TimeColumn& start, const TimeColumn& end, const std::stop_token& stop = {});

/// The rows of items [first, last) of a table: one row without a list of places where they follow one another as they
/// stand in the table, else the rows of splitIntoRows().
std::vector<RowItems> rowsOf(const TimeColumn& start, const TimeColumn& end, const RoleColumn& role, Row first,
    Row last, const std::stop_token& stop = {});

}  // namespace lanes::gui
