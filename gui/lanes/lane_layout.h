// SPDX-License-Identifier: MIT
// How high lanes and rows are and where they stand, in logical pixels from the top
// of the first lane. Where there is room to spare the rows grow, to twice at most;
// where there is too little they shrink until a lane has one line of text left, and
// somewhat further where that brings all of them into sight; else the view scrolls:
// all but the pinned lanes at the top.
#pragma once

#include "gui/lanes/lane_arrangement.h"

namespace lanes::gui {

/// How much is written beside the lanes. compact, for narrow pictures: names have a line of their own over their lanes,
/// what a thread did is one row without its ranges, and GPUs have no headers. tight: the same with the names beside the
/// lanes, which are as low as one line of text where they have to be.
enum class LaneDensity : std::uint8_t { roomy, compact, tight };

struct PlacedRow {
    std::size_t lane, row;  ///< in LaneModel::lanes(): of this lane, or of one that is folded into it
    int y, height;
    bool over;  ///< drawn over the row before it, in its place
};
struct PlacedLane {
    std::size_t lane;  ///< in LaneModel::lanes()
    int y, height;
    bool pinned, collapsed;
    std::vector<PlacedRow> rows;  ///< those that are shown
    int curveY = 0, curveHeight = 0;  ///< where the curve of a counter is
    int name = 0;  ///< height of the line over the rows that has its name; 0: that is beside them
};

class LaneLayout {
public:
    LaneLayout() = default;
    LaneLayout(const std::vector<Lane>& lanes, const ArrangedLanes& arranged, int availableHeight,
        LaneDensity density = LaneDensity::roomy);

    const std::vector<PlacedLane>& lanes() const { return m_lanes; }
    int height() const { return m_height; }  ///< of all lanes and the footer
    int lanesHeight() const { return m_height - m_footer; }
    int footerHeight() const
    {
        return m_footer;
    }  ///< under the last lane: the total's label, how many lanes are hidden
    std::size_t hidden() const { return m_hidden; }
    /// Height of the lanes at the top that do not scroll; 0 where they would leave no room for the others.
    int stickyHeight() const { return m_sticky; }

    /// The lane at `y`, by its place in lanes(); -1 above the first and below the last.
    int laneAt(int y) const;
    /// The row of that lane at `y`, by its place in PlacedLane::rows, the last of those that lie over one another;
    /// -1 between rows.
    int rowAt(int lane, int y) const;
    /// Where a lane of the model is; null where it is hidden or folded into its GPU.
    const PlacedLane* find(std::size_t lane) const;
    /// The lane that shows a row of the model, and which of its rows that is; nothing where it is not shown.
    struct RowPlace {
        const PlacedLane* lane;
        const PlacedRow* row;
    };
    std::optional<RowPlace> find(std::size_t lane, std::size_t row) const;

    /// Height of all lanes and the footer with rows `stretch` times their natural height.
    static int heightOf(const std::vector<Lane>& lanes, const ArrangedLanes& arranged, double stretch = 1,
        LaneDensity density = LaneDensity::roomy);
    /// Height from which on all lanes are in sight.
    static int tightestHeight(
        const std::vector<Lane>& lanes, const ArrangedLanes& arranged, LaneDensity density = LaneDensity::roomy);

private:
    void place(const std::vector<Lane>& lanes, const ArrangedLanes& arranged, double stretch);
    void placeCompact(
        const std::vector<Lane>& lanes, const ArrangedLanes& arranged, double stretch, LaneDensity density);

    std::vector<PlacedLane> m_lanes;
    int m_footer = 0;
    int m_height = 0;
    int m_sticky = 0;
    std::size_t m_hidden = 0;
};

}  // namespace lanes::gui
