// SPDX-License-Identifier: MIT
// How high lanes and rows are and where they stand, in logical pixels from the top
// of the first lane. Where there is room to spare the rows grow, to twice at most;
// where there is too little they shrink to three quarters, then the view scrolls.
#pragma once

#include "gui/timeline/lane_model.h"

namespace lanes::gui {

struct PlacedRow {
    int y, height;
};
struct PlacedLane {
    int y, height;
    std::vector<PlacedRow> rows;  ///< one for each of Lane::rows
};

class LaneLayout {
public:
    static constexpr int footer_height = 26;  ///< under the last lane: the total's label

    LaneLayout() = default;
    LaneLayout(const std::vector<Lane>& lanes, int availableHeight);

    const std::vector<PlacedLane>& lanes() const { return m_lanes; }
    int height() const { return m_height; }  ///< of all lanes and the footer
    int lanesHeight() const { return m_height - footer_height; }

    /// The lane at `y`; -1 above the first and below the last.
    int laneAt(int y) const;
    /// The row of `lane` at `y`, the last of those that lie over one another; -1 between rows.
    int rowAt(int lane, int y) const;

    /// Height of all lanes and the footer with rows `stretch` times their natural height.
    static int heightOf(const std::vector<Lane>& lanes, double stretch = 1);

private:
    void place(const std::vector<Lane>& lanes, double stretch);

    std::vector<PlacedLane> m_lanes;
    int m_height = footer_height;
};

}  // namespace lanes::gui
