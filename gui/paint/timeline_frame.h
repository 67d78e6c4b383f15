// SPDX-License-Identifier: MIT
// What one view of a recording shows and where its parts lie: everything that the
// painters need to know.
#pragma once

#include "gui/lanes/lane_layout.h"
#include "gui/lanes/scope.h"
#include "gui/lanes/shown_iteration.h"
#include "gui/lanes/time_scale.h"
#include "gui/paint/theme.h"
#include "gui/paint/title_verdict.h"

#include <cmath>
#include <optional>
#include <QSize>

namespace lanes::gui {

/// Where the parts of a frame lie, in logical pixels.
struct FrameGeometry {
    static constexpr int title_height = 34;
    static constexpr int ruler_height = 22;
    static constexpr double scroll_bar_width = 7, scroll_bar_margin = 2;  ///< over the right edge of the lanes
    static constexpr int compact_label_width = 6;  ///< names are over their lanes: this is a margin

    QSize size;
    int labelWidth = 220;
    bool title = true;
    bool ruler = true;  ///< with the grid
    int titleHeight = title_height;
    int rulerHeight = ruler_height;  ///< 0: the grid alone
    LaneDensity density = LaneDensity::roomy;
    bool note = true;  ///< what the recording says of itself beside its title
    bool handles = false;  ///< triangles to collapse lanes by and the pins of pinned ones: for a hand, not for pictures
    bool pills = true;  ///< room for how busy each lane is
    bool texts = true;  ///< on items and beside lanes
    double magnification = 1;  ///< how many times as large as in a usual window; part of the frame's ratio
    int scroll = 0;  ///< of the lanes that scroll, downwards

    bool compact() const { return density != LaneDensity::roomy; }
    int rulerTop() const { return title ? titleHeight : 0; }
    int lanesTop() const { return rulerTop() + (ruler ? rulerHeight : 0); }
    int plotWidth() const { return std::max(size.width() - labelWidth, 1); }
    int lanesHeight() const { return std::max(size.height() - lanesTop(), 0); }
    /// Width of the lane names that suits a picture this wide.
    static int labelWidthFor(int width, LaneDensity of = LaneDensity::roomy)
    {
        return of == LaneDensity::compact ? compact_label_width
            : of == LaneDensity::tight    ? std::clamp(width / 4, 90, 150)
                                          : std::clamp(width / 6, 196, 250);
    }
};

/// What a recording is of a run whose other parts are other recordings: a rank of a job. Parts are not compared as runs
/// are: none is faster or does the same work.
struct PartOfRun {
    Ns zero = 0;  ///< when the run began, in the recording's own time
    QString said = {};  ///< beside its title
    bool isLate = false;  ///< what is said is that it costs the other parts time
    Interval shown = {};  ///< what was asked for of it: streams that have nothing there nor in sight have no lane
    friend bool operator==(const PartOfRun&, const PartOfRun&) = default;
};

struct TimelineFrame {
    const LaneModel& model;
    const LaneLayout& layout;
    const Theme& theme;
    TimeScale scale;  ///< columns of 1/ratio logical pixels
    FrameGeometry geometry;
    double ratio = 1;  ///< device pixels a logical pixel
    QString letter;  ///< "A", "B"; empty where there is one recording
    TitleVerdict verdict;
    DrawnScope scope = {};  ///< what the figures beside the lanes are about
    std::shared_ptr<const ShownIteration> iteration = {};  ///< shown alone; null: everything is shown
    Ns uncertainty = 0;  ///< clockUncertainty()
    std::optional<PartOfRun> part = {};

    int columns() const { return static_cast<int>(geometry.plotWidth() * ratio); }
    /// Logical x in the frame.
    double xOf(Ns t) const { return geometry.labelWidth + scale.xOf(t) / ratio; }
    /// When the run began that the recording is of, or a part of.
    Ns begin() const { return part ? part->zero : 0; }
    /// The time that the ruler calls 0.
    Ns origin() const { return iteration ? iteration->span.start : begin(); }
    /// Whether what the lanes hold at an x is not shown: see `iteration`.
    bool isCovered(double x) const
    {
        return iteration && (timeAt(x) < iteration->span.start || timeAt(x) >= iteration->span.end);
    }
    Ns timeAt(double x) const { return scale.timeAt((x - geometry.labelWidth) * ratio); }
    /// Whether a lane stays where it is while others scroll, and so lies over them.
    bool isSticky(const PlacedLane& lane) const { return lane.y + lane.height <= layout.stickyHeight(); }
    /// Where the lanes that scroll begin to be seen.
    int scrollTop() const { return geometry.lanesTop() + layout.stickyHeight(); }
    /// Logical y in the frame.
    int yOf(const PlacedLane& lane) const
    {
        return geometry.lanesTop() + lane.y - (isSticky(lane) ? 0 : geometry.scroll);
    }
    int yOf(const PlacedLane& lane, const PlacedRow& row) const { return yOf(lane) + row.y - lane.y; }
    int footerTop() const { return geometry.lanesTop() + layout.lanesHeight() - geometry.scroll; }
    /// `y` of the frame in the layout.
    int layoutY(double y) const
    {
        const int at = static_cast<int>(std::floor(y)) - geometry.lanesTop();
        return at < layout.stickyHeight() ? at : at + geometry.scroll;
    }
};

}  // namespace lanes::gui
