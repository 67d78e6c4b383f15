// SPDX-License-Identifier: MIT
// Every command of the window in one table. Menus, keys, tooltips and the page of
// all keys are made from it and from nothing else, so they cannot disagree.
#pragma once

#include "gui/timeline/timeline_actions.h"

#include <QKeySequence>
#include <QList>
#include <QString>

#include <optional>
#include <vector>

namespace lanes::gui {

class MainWindow;

/// What commands need to know to be enabled or checked.
struct WindowState {
    int recordings = 0;
    bool busy = false;  ///< a run or an opening is under way
    bool runnable = false;  ///< a workload is chosen and its parameters are right
    bool selection = false;
    bool allArrows = false;  ///< the timeline shows those of everything in sight
    bool marks = false;  ///< of the active recording, there are some
    bool range = false;  ///< a time range is selected
    bool mark = false;  ///< one was set, clicked or gone to in the active recording
    bool lane = false;  ///< there is a lane that commands concern
    bool lanePinned = false, laneCollapsed = false;
    bool lanesHidden = false, lanesArranged = false, lanesFiltered = false, lanesByEngine = false;
    bool aligned = false;  ///< otherwise than at the starts
    int reference = 0;  ///< 0: A
    bool liveKnobs = true;
    bool variants = false;  ///< the chosen workload has several
    bool repeatable = false;  ///< what is active can be run again beside what it was
    bool workload = false, ownWorkload = false;  ///< one is chosen, and it is a user's own
    bool editor = false;  ///< the text of the workload is shown
    bool source = false, sourceChanged = false;  ///< there is a text in it, and it is not saved
    bool frameTimes = false;  ///< shown
    bool gallery = false;  ///< shown
    bool fullScreen = false;
    bool asking = false;  ///< a lesson asks first what one expects
    bool stepping = false, playing = false;  ///< through the run
    bool sideColumn = true;
    bool lowerPanels = true;
    QString theme;  ///< "system", "dark" or "light"
    QString language;  ///< "en", "zh_CN"
};

enum class Menu { file, edit, view, lanes, theme, language, go, compare, lesson, run, help };

struct Command {
    const char* id;  ///< "view.fit"
    const char* text;  ///< with the menu's mnemonic
    const char* tip;  ///< one sentence: tooltip and help
    Menu menu;
    const char* keys;  ///< work wherever the focus is, "; " between them
    bool (*enabled)(const WindowState&);  ///< nullptr: always
    void (*run)(MainWindow&);
    bool (*checked)(const WindowState&) = nullptr;  ///< nullptr: not checkable
    bool separator = false;  ///< a line over it in the menu
    std::optional<TimelineAction> timeline = {};  ///< what the timeline calls it: its keys there work as well
};

const std::vector<Command>& commandTable();

/// Translated; `text` without the mnemonic.
QString commandText(const Command& command);
QString plainCommandText(const Command& command);
QString commandTip(const Command& command);
QString menuText(Menu menu);
/// Those that work wherever the focus is.
QList<QKeySequence> windowKeys(const Command& command);
/// Those that work where the timeline has the focus; lists and tables need them for themselves.
QList<QKeySequence> timelineKeys(const Command& command);
/// Both as text: "Ctrl+0, Home, 0".
QString keysText(const Command& command);
/// "Fit all (Home, 0)": what stands in a tooltip.
QString tooltipOf(const Command& command);

/// What the mouse does, for the page of all keys.
struct MouseHelp {
    const char* gesture;
    const char* effect;
};
const std::vector<MouseHelp>& mouseHelp();
QString mouseText(const char* source);

}  // namespace lanes::gui
