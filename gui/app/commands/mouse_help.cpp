// SPDX-License-Identifier: MIT
#include "gui/app/commands/mouse_help.h"

#include "gui/session/texts.h"
#include "gui/timeline/timeline_actions.h"

namespace lanes::gui {

std::vector<MouseHelp> mouseHelp()
{
    return {
        {wheelZooms() ? tr("Ctrl + wheel") : tr("Wheel"), tr("scrolls the lanes")},
        {wheelZooms() ? tr("Wheel") : tr("Ctrl + wheel"), tr("zooms at the cursor")},
        {tr("Shift + wheel, Shift + drag"), tr("pans")},
        {tr("Click"), tr("selects an event")},
        {tr("Double click"), tr("zooms to an event")},
        {tr("Drag a lane's name"), tr("moves the lane")},
        {tr("Click a lane's triangle, double click its name"), tr("collapses or expands the lane")},
        {tr("Right click a lane's name"), tr("opens the menu of lanes")},
        {tr("Drag"), tr("selects a time range and shows its figures; dragging its edge moves the edge")},
        {tr("Alt + drag"), tr("selects a range without snapping to edges")},
        {tr("Drag the right edge of the selected kernel or copy"), tr("predicts the run with another length of it")},
        {tr("Drag the selected copy to another stream"), tr("predicts the run with its copies there")},
        {tr("Click, double click a mark"), tr("goes to it, edits its text")},
        {tr("Click a label at the edge"), tr("follows the arrow to what is outside the view")},
        {tr("Ctrl + drag, middle drag"), tr("zooms to the box")},
    };
}

}  // namespace lanes::gui
