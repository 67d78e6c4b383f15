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

    /// Of one iteration alone no streams that have no part in it.
    ArrangedLanes arranged(const std::vector<Lane>& lanes) const
    {
        const ArrangedLanes all = arrangement.arrange(lanes);
        return highlights.iteration ? all.withoutEmptyStreams(lanes, highlights.iteration->span) : all;
    }
};

}  // namespace lanes::gui
