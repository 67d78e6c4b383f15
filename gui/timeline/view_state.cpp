// SPDX-License-Identifier: MIT
#include "gui/timeline/view_state.h"

#include "gui/lanes/quiet_lanes.h"

namespace lanes::gui {

ViewState ViewState::of(const RecordingPtr& recording, const LaneChoice& choice)
{
    ViewState state;
    state.choice = choice;
    state.model = std::make_shared<const LaneModel>(recording, LaneModel::Rows::now, choice);
    state.arrangement = withoutQuietLanes(*state.model);
    return state;
}

}  // namespace lanes::gui
