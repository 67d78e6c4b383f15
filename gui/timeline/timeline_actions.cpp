// SPDX-License-Identifier: MIT
#include "gui/timeline/timeline_actions.h"

#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(TimelineActions)
};

}  // namespace

QList<TimelineActionInfo> timelineActions()
{
    using enum TimelineAction;
    return {
        {zoomIn, "timeline.zoom-in", Texts::tr("Zoom in"), {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal}},
        {zoomOut, "timeline.zoom-out", Texts::tr("Zoom out"), {Qt::Key_S, Qt::Key_Minus}},
        {panLeft, "timeline.pan-left", Texts::tr("Earlier"), {Qt::Key_A, Qt::Key_Left}},
        {panRight, "timeline.pan-right", Texts::tr("Later"), {Qt::Key_D, Qt::Key_Right}},
        {scrollUp, "timeline.scroll-up", Texts::tr("Scroll lanes up"), {Qt::Key_Up}},
        {scrollDown, "timeline.scroll-down", Texts::tr("Scroll lanes down"), {Qt::Key_Down}},
        {showAll, "timeline.show-all", Texts::tr("Show everything"), {Qt::Key_Home, Qt::Key_0}},
        {focusSelection, "timeline.focus", Texts::tr("Centre the selection, then fit it"), {Qt::Key_F}},
        {zoomToRange, "timeline.zoom-to-range", Texts::tr("Zoom to the selected range"), {Qt::Key_Z}},
        {previousView, "timeline.previous-view", Texts::tr("Previous view"), {Qt::Key_Backspace}},
        {nextView, "timeline.next-view", Texts::tr("Next view"), {QKeySequence(Qt::SHIFT | Qt::Key_Backspace)}},
        {allArrows, "timeline.all-arrows", Texts::tr("All arrows in sight"), {Qt::Key_E}},
        {rangeEndLater, "timeline.range-end-later", Texts::tr("Range's end to the next edge"), {QKeySequence(Qt::SHIFT | Qt::Key_Right)}},
        {rangeEndEarlier, "timeline.range-end-earlier", Texts::tr("Range's end to the edge before"), {QKeySequence(Qt::SHIFT | Qt::Key_Left)}},
        {rangeStartLater, "timeline.range-start-later", Texts::tr("Range's start to the next edge"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Right)}},
        {rangeStartEarlier, "timeline.range-start-earlier", Texts::tr("Range's start to the edge before"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Left)}},
        {setMark, "timeline.mark", Texts::tr("Set or name a mark"), {Qt::Key_M}},
        {nextMark, "timeline.next-mark", Texts::tr("Next mark"), {Qt::Key_N}},
        {previousMark, "timeline.previous-mark", Texts::tr("Previous mark"), {QKeySequence(Qt::SHIFT | Qt::Key_N)}},
        {removeMark, "timeline.remove-mark", Texts::tr("Remove the mark"), {Qt::Key_Delete}},
        {nextItem, "timeline.next", Texts::tr("Next in the lane"), {Qt::Key_Period}},
        {previousItem, "timeline.previous", Texts::tr("Previous in the lane"), {Qt::Key_Comma}},
        {goToCause, "timeline.cause", Texts::tr("Go to the API call, or to what released a wait"), {Qt::Key_BracketLeft}},
        {goToEffect, "timeline.effect", Texts::tr("Go to the GPU operation of an API call"), {Qt::Key_BracketRight}},
        {clear, "timeline.clear", Texts::tr("Clear the selection"), {Qt::Key_Escape}},
        {groupByEngine, "timeline.group-by-engine", Texts::tr("Group lanes by engine, or by stream"), {Qt::Key_G}},
        {pinLane, "timeline.pin-lane", Texts::tr("Pin a lane, or let it go"), {Qt::Key_P}},
        {collapseLane, "timeline.collapse-lane", Texts::tr("Collapse or expand a lane"), {Qt::Key_C}},
        {hideLane, "timeline.hide-lane", Texts::tr("Hide a lane"), {Qt::Key_H}},
        {laneUp, "timeline.lane-up", Texts::tr("Move a lane up"), {QKeySequence(Qt::ALT | Qt::Key_Up)}},
        {laneDown, "timeline.lane-down", Texts::tr("Move a lane down"), {QKeySequence(Qt::ALT | Qt::Key_Down)}},
        {collapseLanes, "timeline.collapse-lanes", Texts::tr("Collapse or expand all lanes"), {QKeySequence(Qt::SHIFT | Qt::Key_C)}},
        {showHiddenLanes, "timeline.show-hidden-lanes", Texts::tr("Show the hidden lanes"), {QKeySequence(Qt::SHIFT | Qt::Key_H)}},
        {resetLanes, "timeline.reset-lanes", Texts::tr("Put the lanes as they were recorded"), {QKeySequence(Qt::SHIFT | Qt::Key_R)}},
    };
}

}  // namespace lanes::gui
