// SPDX-License-Identifier: MIT
// What can be done to a timeline, and the keys of the timeline that do it. What each is called stands in the window's
// commands.
#pragma once

#include <QKeySequence>
#include <QList>

namespace lanes::gui {

enum class TimelineAction : std::uint8_t {
    zoomIn,
    zoomOut,
    panLeft,
    panRight,
    scrollUp,
    scrollDown,
    showAll,
    focusSelection,
    zoomToRange,
    previousView,
    nextView,
    allArrows,
    rangeEndLater,
    rangeEndEarlier,
    rangeStartLater,
    rangeStartEarlier,
    setMark,
    nextMark,
    previousMark,
    removeMark,
    nextItem,
    previousItem,
    goToCause,
    goToEffect,
    clear,
    groupByEngine,
    pinLane,
    collapseLane,
    hideLane,
    laneUp,
    laneDown,
    collapseLanes,
    showHiddenLanes,
    resetLanes,
};

struct TimelineActionInfo {
    TimelineAction action;
    QList<QKeySequence> keys;
};

/// Every action and its keys, which work where the timeline has the focus.
const QList<TimelineActionInfo>& timelineActions();
QList<QKeySequence> keysOf(TimelineAction action);

}  // namespace lanes::gui
