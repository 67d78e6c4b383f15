// SPDX-License-Identifier: MIT
// What can be done to a timeline, with the keys that do it where a view has the focus. What each is called, and where
// it is in the menus, is the window's: see the table of commands.
#pragma once

#include <QKeySequence>
#include <QList>

#include <cstdint>
#include <optional>
#include <vector>

class QKeyEvent;

namespace lanes::gui {

class Timeline;

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
    chains,
    criticalPath,
    idleReasons,
    rangeEndLater,
    rangeEndEarlier,
    rangeStartLater,
    rangeStartEarlier,
    setMark,
    nextMark,
    previousMark,
    removeChosen,
    nextItem,
    previousItem,
    goToCause,
    goToEffect,
    clear,
    groupByEngine,
    gpusFirst,
    familyColours,
    pinLane,
    collapseLane,
    allDepths,
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
    void (*perform)(Timeline&);
};

/// All of them, each once, no key twice.
const std::vector<TimelineActionInfo>& timelineActions();

/// Those in force: the table's, or what setKeys() gave instead.
QList<QKeySequence> keysOf(TimelineAction action);
/// For every timeline of the program; nothing: the table's again. Who gives a key takes it from its former action.
void setKeys(TimelineAction action, const std::optional<QList<QKeySequence>>& keys);
/// Whether the wheel alone zooms and Ctrl + wheel scrolls, for every timeline of the program. Otherwise it is the
/// other way round.
bool wheelZooms();
void setWheelZooms(bool zooms);
/// Whether a key writes a letter, a digit or another sign; a space is none.
bool isSign(const QKeyEvent& key);
/// What a key that is pressed in the timeline does there.
std::optional<TimelineAction> actionOf(const QKeyEvent& key);

/// Nothing happens where there is nothing to do it to.
void perform(Timeline& timeline, TimelineAction action);

}  // namespace lanes::gui
