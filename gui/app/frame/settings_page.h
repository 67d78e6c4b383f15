// SPDX-License-Identifier: MIT
// What a user sets once: theme, size of the text, language, what is shown. Each control is a command of the table, done
// at once; the page holds nothing of its own, and what is remembered is the commands' business.
#pragma once

#include <QDialog>

class QAbstractButton;
class QAction;
class QVBoxLayout;

namespace lanes::gui {

class CommandTable;
struct Command;

class SettingsPage : public QDialog {
    Q_OBJECT
public:
    /// The table lives longer; the actions of its commands are children of the window, by their id.
    SettingsPage(const CommandTable& commands, QWidget* window);

private:
    /// A heading, and a control for each of the commands whose id begins so.
    void addChoice(QVBoxLayout* layout, const QString& heading, const char* ids);
    /// The same of commands that are switched on and off.
    void addSwitches(QVBoxLayout* layout, const QString& heading);
    void addRow(QVBoxLayout* layout, QAbstractButton* button, const Command& command, const QString& heading);

    const CommandTable& m_commands;
    QWidget* m_window;
};

}  // namespace lanes::gui
