// SPDX-License-Identifier: MIT
// One thing that a user can do: its name, its place in the menus, its keys, when it can be done and what it does.
#pragma once

#include "gui/timeline/timeline_actions.h"

#include <QKeySequence>
#include <QList>
#include <QString>

#include <functional>
#include <optional>

namespace lanes::gui {

enum class Menu { file, edit, view, scope, lanes, theme, language, go, compare, lesson, run, help };

struct Command {
    const char* id;  ///< "view.fit"; stable, settings and tests know it
    QString text;  ///< with the menu's mnemonic, translated
    QString tip;  ///< one sentence for the tooltip and the page of keys, translated
    Menu menu;
    const char* keys;  ///< that work wherever the focus is, portable, "; " between them
    std::function<bool()> enabled;  ///< empty: always
    std::function<void()> run;
    std::function<bool()> checked = {};  ///< empty: not checkable
    bool separator = false;  ///< a line over it in the menu
    std::optional<TimelineAction> timeline = {};  ///< what it is on the timeline, whose keys there work as well
    std::optional<QList<QKeySequence>> chosenKeys = {};  ///< instead of `keys`, given by the table
};

/// The text without the mnemonic and the dots.
QString plainText(const Command& command);
/// Translated, with its mnemonic.
QString menuText(Menu menu);
/// Those that work wherever the focus is.
QList<QKeySequence> windowKeys(const Command& command);
/// Those that work where the timeline has the focus; lists and tables need them for themselves.
QList<QKeySequence> timelineKeys(const Command& command);
/// Both as text: "Ctrl+0, Home, 0".
QString keysText(const Command& command);
/// "Shows the recordings from start to end (Ctrl+0, Home, 0)".
QString tooltipOf(const Command& command);

}  // namespace lanes::gui
