// SPDX-License-Identifier: MIT
#include "gui/timeline/view_state.h"

namespace lanes::gui {

ViewState ViewState::of(const RecordingPtr& recording, const LaneChoice& choice)
{
    ViewState state;
    state.choice = choice;
    state.model = std::make_shared<const LaneModel>(recording, LaneModel::Rows::now, choice);
    return state;
}

}  // namespace lanes::gui
