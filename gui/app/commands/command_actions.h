// SPDX-License-Identifier: MIT
// The actions of the commands: one QAction each, in the window's menus and for its buttons.
//
// Buttons are made before the table is filled; an action is empty until then.
#pragma once

#include "gui/app/commands/command_table.h"

#include <QMap>
#include <QObject>

class QAction;
class QMainWindow;
class QMenu;
class QPushButton;

namespace lanes::gui {

class CommandActions : public QObject {
    Q_OBJECT
public:
    explicit CommandActions(QMainWindow* window);

    /// Makes the menus of the window. The table stays where it is as long as this lives.
    void fill(const CommandTable& table);
    /// Takes the keys of the table once more, after they changed.
    void showKeys();
    /// The action of a command; empty until fill().
    QAction* action(const char* id);
    QMenu* menu(Menu menu) const { return m_menus.value(menu); }
    /// Does what the command does, and can be pressed when that can be done.
    QPushButton* button(const char* id, const QString& text);
    /// Enables and checks every action as its command says now.
    void refresh();

signals:
    /// A command was carried out.
    void done();

private:
    QMainWindow* m_window;
    const CommandTable* m_table = nullptr;
    QMap<QByteArray, QAction*> m_actions;  // by the command's id
    QMap<Menu, QMenu*> m_menus;
};

}  // namespace lanes::gui
