// SPDX-License-Identifier: MIT
// What a view shows, by value: its state, the lanes that it is of and the hits of the search. A picture drawn from it
// shows the same after the view moved on.
#pragma once

#include "engine/analysis/query_hits.h"
#include "gui/timeline/timeline_state.h"

#include <memory>

namespace lanes::gui {

struct Waterfall;

/// Its anchor and that of another recording say how they are aligned.
struct ViewState : TimelineState {
    std::shared_ptr<const LaneModel> model = {};  ///< never null in a picture
    std::shared_ptr<const QueryHits> hits = {};  ///< of the search; may be null
    /// From this recording to the next one, where an iteration of each is shown; null: none.
    std::shared_ptr<const Waterfall> changes = {};
    int height = 0;  ///< of the view with its title row, logical pixels; 0: as high as the lanes need
    /// Of its scope, if it is known; else whoever needs it finds it with reportOf().
    std::shared_ptr<const Report> report = {};

    ArrangedLanes arranged() const { return TimelineState::arranged(model->lanes()); }
    /// As a recording opens: all lanes of the choice, those of quiet threads collapsed, nothing selected.
    static ViewState of(const RecordingPtr& recording, const LaneChoice& choice = {});
};

}  // namespace lanes::gui
