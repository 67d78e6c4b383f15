// SPDX-License-Identifier: MIT
// What can be done to a timeline, in one table: the view's keys, the menus and the
// page of keys are all made from it.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>

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
    const char* id;  ///< stable, for settings: "timeline.zoom-in"
    QString text;
    QList<QKeySequence> keys;
};

/// All of them, texts in the application's language.
QList<TimelineActionInfo> timelineActions();

}  // namespace lanes::gui
