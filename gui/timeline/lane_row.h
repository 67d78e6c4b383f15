// SPDX-License-Identifier: MIT
// One row of a lane: items that follow one another without overlapping, so that
// their lengths add up to the row's busy time. The items lie in a table of the
// Trace (or beside it); a row keeps their places in it and its pyramid, nothing else.
#pragma once

#include "gui/timeline/occupancy_pyramid.h"
#include "gui/timeline/row_items.h"

#include <vector>

namespace lanes::gui {

/// What an item is and where it lies in its table.
enum class ItemKind : std::uint8_t { none, operation, call, blocked, range, hostSpan, read, overlap };

struct ItemRef {
    ItemKind kind = ItemKind::none;
    Row row = no_row;
    explicit operator bool() const { return kind != ItemKind::none; }
    friend bool operator==(const ItemRef&, const ItemRef&) = default;
};

struct LaneRow {
    ItemKind kind = ItemKind::none;
    RowItems items;
    OccupancyPyramid pyramid;
    bool overlay = false;  ///< drawn over the row before it, in its place
    bool hatched = false;

    LaneRow(ItemKind kind_, RowItems items_);

    ItemRef itemAt(std::size_t i) const { return {kind, items.place(i)}; }
    /// Busy time of [start, end) in ns, exact. Linear in the items in it.
    Ns busyIn(Ns start, Ns end) const;
};

/// Deals items out to as few rows as they need so that none overlaps another in its row: the first row that is
/// free takes the item. `places` must be sorted by start; at equal starts the longer comes first, so that
/// nested ranges lie under the ones around them. Items without length get room of their own.
std::vector<std::vector<Row>> splitIntoRows(std::vector<Row> places, const TimeColumn& start, const TimeColumn& end);

}  // namespace lanes::gui
