// SPDX-License-Identifier: MIT
// Makes one row of pixels of a lane row: how busy each column is and with what, then
// its colour. The row of pixels is copied down the row's height by whoever draws.
//
// A column in which items are narrower than it is blended by its busy fraction over a floor, so that a lane that is
// 10 % busy does not look full, one that is 24 % busy is no background, and whatever happened, however short, shows;
// blocked time is hatched in its share of the column's height instead (row_canvas.h). Items that are `wide_columns` or
// more wide are drawn on their own: their edges lie on whole columns and their last column is darker. Busy times are
// exact to 1/160 of a column, which no eye can tell apart, and to the tick in columns of fewer than some 20 items:
// those are computed from the items themselves, wider ones from the busy bits of the index. Which of the two is used
// depends on the edge and the width of a column alone. Cost: of one line of the row's index for every column's edge, or
// of the items in view where these are fewer; nothing depends on the number of items in the row.
#pragma once

#include "gui/lanes/column_edges.h"
#include "gui/lanes/lane_row.h"

#include <span>
#include <vector>

namespace lanes::gui {

/// A colour as 0xAARRGGBB.
using Rgb = std::uint32_t;

/// Colours by ItemRole, each in its shades.
using RolePalette = std::array<std::array<Rgb, shade_count>, itemRoleCount>;

/// An item that is drawn on its own: columns [x0, x1) of the view, cut a little beyond its edges.
struct WideItem {
    std::size_t item;  ///< in the row
    std::int32_t x0, x1;
    ItemRole role;
    std::uint8_t shade = plain_shade;  ///< of its role's colour
};

/// One row, column by column.
struct LaneColumns {
    std::vector<std::int64_t> busy;  ///< ticks of anything, exact to 1/160 of `width`
    std::vector<std::int64_t> narrow;  ///< ticks of what is not in `wide`
    std::vector<std::uint8_t> role;  ///< ItemRole of most of `narrow`; none: there is nothing narrow in this column
    std::vector<WideItem> wide;
    std::int64_t width = 1;  ///< ticks of a whole column
    /// Whether nothing lies in the two columns before the first one, and in the two after the last.
    std::array<bool, 4> emptyBeside {};

    double fraction(std::size_t column) const { return static_cast<double>(busy[column]) / static_cast<double>(width); }
    /// Of the items that are not drawn on their own.
    double narrowFraction(std::size_t column) const
    {
        return static_cast<double>(narrow[column]) / static_cast<double>(width);
    }
};

/// `share` of 256 of `top` over `bottom`.
Rgb mixed(Rgb bottom, Rgb top, int share);

class LaneRasterizer {
public:
    /// From this many columns on an item is drawn on its own.
    static constexpr int wide_columns = RowView<RowItems>::wide_columns;
    /// The share of its colour that a column with anything in it shows: from this on, growing with its busy fraction to
    /// all of it. What happened alone, in one column or two, shows all of its colour: less of a pale one looks like a
    /// line of the grid. A wait that is alone has this share of its height.
    static constexpr double visible_floor = 0.35, lonely_floor = 0.6;

    /// Fills `out` for the first `columns` columns that `scale` shows. Without `wide`, no item is drawn on its own:
    /// every column is blended by what lies in it.
    void scan(const LaneRow& row, const TimeScale& scale, int columns, LaneColumns& out, bool wide = true);

    /// Blends the columns over `pixels`, which holds what lies under them. `edge` is what right edges darken to.
    static void paint(const LaneColumns& columns, const RolePalette& palette, Rgb edge, std::span<Rgb> pixels);
    /// The same in one colour, whatever the role.
    static void paint(const LaneColumns& columns, Rgb color, Rgb edge, std::span<Rgb> pixels);
    /// Of the items that are drawn on their own alone.
    static void paintWide(const LaneColumns& columns, Rgb color, Rgb edge, std::span<Rgb> pixels);

    /// Whether this column and at most one beside it are all that shows something there.
    static bool standsAlone(const LaneColumns& columns, std::size_t column);
    /// With what share of 256 the narrow items of a column are blended in.
    static int shownShare(const LaneColumns& columns, std::size_t column);

private:
    std::vector<ColumnEdge> m_edges;
    std::vector<std::size_t> m_long;  // items that may be wide, in order
};

}  // namespace lanes::gui
