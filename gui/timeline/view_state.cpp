// SPDX-License-Identifier: MIT
#include "gui/timeline/view_state.h"

namespace lanes::gui {

ViewState ViewState::of(const RecordingPtr& recording)
{
    ViewState state;
    state.model = std::make_shared<const LaneModel>(recording);
    return state;
}

}  // namespace lanes::gui
