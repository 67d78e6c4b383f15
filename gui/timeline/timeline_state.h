// SPDX-License-Identifier: MIT
// What a view shows of its recording until the user changes it, by value. What passes with the mouse is no part of it:
// see TimelineOverlay. What is written of it (figures of the range, arrows and causes of the selection) is computed by
// whoever draws it.
#pragma once

#include "gui/lanes/lane_arrangement.h"
#include "gui/lanes/scope.h"
#include "gui/lanes/time_window.h"
#include "gui/paint/timeline_frame.h"
#include "gui/timeline/timeline_overlay.h"

#include <algorithm>
#include <optional>

namespace lanes::gui {

struct TimelineState {
    TimeWindow time;  ///< scale and extent
    LaneChoice choice;  ///< how lanes are grouped and filtered; kept for the recordings that follow
    LaneArrangement arrangement;  ///< which of them are hidden, pinned, collapsed and moved
    int scroll = 0;  ///< of the lanes, downwards, logical pixels
    TimelineHighlights highlights;  ///< selection, selected range, anchor
    bool pathWanted = false;  ///< the critical path is to be shown; highlights have it as soon as it is found
    bool idleWanted = false;  ///< so it is with the reasons of idle streams
    std::optional<Ns> mark;  ///< the one that was set, clicked or gone to last
    DrawnScope scope = {};  ///< what the figures beside the lanes are about
    Ns uncertainty = 0;  ///< Alignment::uncertainty
    std::optional<PartOfRun> part = {};
    bool compared = false;  ///< its verdict says how it compares with the other recording

    /// Of one iteration alone no streams that have no part in it, of a part of a run none that have nothing in what was
    /// asked for or is in sight.
    ArrangedLanes arranged(const std::vector<Lane>& lanes) const
    {
        const ArrangedLanes all = arrangement.arrange(lanes);
        if (highlights.iteration) {
            return all.withoutEmptyStreams(lanes, highlights.iteration->span);
        }
        if (!part) {
            return all;
        }
        const Interval seen = time.visible();
        return all.withoutEmptyStreams(
            lanes, {std::min(seen.start, part->shown.start), std::max(seen.end, part->shown.end)});
    }
};

}  // namespace lanes::gui
