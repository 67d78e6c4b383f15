// SPDX-License-Identifier: MIT
// How high lanes and rows are and where they are, in logical pixels from the top
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
/// Whether a low picture draws a thread's ranges: only of one that has nothing else.
bool hasOnlyRanges(const Lane& lane);

struct PlacedLane {
    std::size_t lane;  ///< in LaneModel::lanes()
    int y, height;
    bool pinned, collapsed;
    std::vector<PlacedRow> rows;  ///< those that are shown
    int curveY = 0, curveHeight = 0;  ///< where the curve of a counter or the graph of a GPU's time is
    int markY = 0, markHeight = 0;  ///< under the rows, where what is exposed is marked; no height: nowhere
    int name = 0;  ///< height of the line over the rows that has its name; 0: that is beside them

    bool isStack = false;  ///< of a thread with a deep stack, which can be folded and unfolded
    /// Of a stack that has more levels of frames or modules than rows for them: the line that says which frames around
    /// all of the view have no row; of one that is unfolded: the line that says so. Height 0: there is none.
    int pathY = 0, pathHeight = 0;
    bool allDepths = false;  ///< nothing is folded
    std::vector<ItemRef> path = {};  ///< those frames, the outermost first
    /// A row that shows one level of a part of the stack, which lookAt() chooses.
    struct LevelRow {
        std::size_t row;  ///< in `rows`
        StackPart part;
        std::size_t below;  ///< how many rows of the same part are over it
    };
    std::vector<LevelRow> levelRows = {};
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
    /// Chooses what the rows of folded stacks show: their outermost frames and modules that are not around all of
    /// `view`. Nothing moves. Cost: log n for each level of each stack.
    void lookAt(const std::vector<Lane>& lanes, Interval view);

    /// Where a lane of the model is; null where it is hidden or folded into its GPU.
    const PlacedLane* find(std::size_t lane) const;
    /// The lane that shows a row of the model, and which of its rows that is; nothing where it is not shown.
    struct RowPlace {
        const PlacedLane* lane;
        const PlacedRow* row;
    };
    std::optional<RowPlace> find(std::size_t lane, std::size_t row) const;
    /// Which of the rows that are shown has an item. Cost: log n for each of them.
    std::optional<RowPlace> find(const LaneModel& model, ItemRef item) const;
    /// The lane whose path is at `y`; null: there is none.
    const PlacedLane* pathAt(int y) const;

    /// Whether a lane that is not collapsed shows a row: of a stack either all depths or the folded rows.
    static bool shows(const Lane& lane, const LaneRow& row, bool folded);

    /// What of the lanes is in sight, from the top down: those that do not scroll, then the others from `scroll` on.
    struct Window {
        int scroll, height;
        bool operator==(const Window&) const = default;
    };
    /// The window that shows whole lanes: of those that an edge of `seen` cuts the ones that are in sight by half, and
    /// the footer with the last lane. `seen` itself where all lanes have room in it.
    Window wholeLanes(Window seen) const;

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
