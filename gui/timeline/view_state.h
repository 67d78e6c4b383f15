// SPDX-License-Identifier: MIT
// What a view shows of a recording, by value: a picture drawn from it shows the same
// after the view moved on. Whatever a view can be set to show belongs in here.
#pragma once

#include "engine/analysis/query_hits.h"
#include "gui/timeline/timeline_overlay.h"

#include <memory>

namespace lanes::gui {

struct ViewState {
    std::shared_ptr<const LaneModel> model;  ///< never null in a picture
    LaneArrangement arrangement = {};
    TimelineHighlights highlights = {};  ///< the anchors of two recordings say how they are aligned
    std::shared_ptr<const QueryHits> hits = {};  ///< of the search; may be null
    int height = 0;  ///< of the view with its title row, logical pixels; 0: as high as the lanes need
    int scroll = 0;  ///< of the lanes, downwards
    bool compared = false;  ///< its verdict says how it compares with the other recording

    ArrangedLanes arranged() const { return arrangement.arrange(model->lanes()); }
    /// As a recording opens: all lanes of the choice, nothing selected.
    static ViewState of(const RecordingPtr& recording, const LaneChoice& choice = {});
};

}  // namespace lanes::gui
