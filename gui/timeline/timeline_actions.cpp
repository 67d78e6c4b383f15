// SPDX-License-Identifier: MIT
#include "gui/timeline/timeline_actions.h"

namespace lanes::gui {

const QList<TimelineActionInfo>& timelineActions()
{
    using enum TimelineAction;
    static const QList<TimelineActionInfo> all {
        {zoomIn, {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal}},
        {zoomOut, {Qt::Key_S, Qt::Key_Minus}},
        {panLeft, {Qt::Key_A, Qt::Key_Left}},
        {panRight, {Qt::Key_D, Qt::Key_Right}},
        {scrollUp, {Qt::Key_Up}},
        {scrollDown, {Qt::Key_Down}},
        {showAll, {Qt::Key_Home, Qt::Key_0}},
        {focusSelection, {Qt::Key_F}},
        {zoomToRange, {Qt::Key_Z}},
        {previousView, {Qt::Key_Backspace}},
        {nextView, {QKeySequence(Qt::SHIFT | Qt::Key_Backspace)}},
        {allArrows, {Qt::Key_E}},
        {rangeEndLater, {QKeySequence(Qt::SHIFT | Qt::Key_Right)}},
        {rangeEndEarlier, {QKeySequence(Qt::SHIFT | Qt::Key_Left)}},
        {rangeStartLater, {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Right)}},
        {rangeStartEarlier, {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Left)}},
        {setMark, {Qt::Key_M}},
        {nextMark, {Qt::Key_N}},
        {previousMark, {QKeySequence(Qt::SHIFT | Qt::Key_N)}},
        {removeMark, {Qt::Key_Delete}},
        {nextItem, {Qt::Key_Period}},
        {previousItem, {Qt::Key_Comma}},
        {goToCause, {Qt::Key_BracketLeft}},
        {goToEffect, {Qt::Key_BracketRight}},
        {clear, {Qt::Key_Escape}},
        {groupByEngine, {Qt::Key_G}},
        {pinLane, {Qt::Key_P}},
        {collapseLane, {Qt::Key_C}},
        {hideLane, {Qt::Key_H}},
        {laneUp, {QKeySequence(Qt::ALT | Qt::Key_Up)}},
        {laneDown, {QKeySequence(Qt::ALT | Qt::Key_Down)}},
        {collapseLanes, {QKeySequence(Qt::SHIFT | Qt::Key_C)}},
        {showHiddenLanes, {QKeySequence(Qt::SHIFT | Qt::Key_H)}},
        {resetLanes, {QKeySequence(Qt::SHIFT | Qt::Key_R)}},
    };
    return all;
}

QList<QKeySequence> keysOf(TimelineAction action)
{
    for (const TimelineActionInfo& each : timelineActions()) {
        if (each.action == action) {
            return each.keys;
        }
    }
    return {};
}

}  // namespace lanes::gui
