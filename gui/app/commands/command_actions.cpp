// SPDX-License-Identifier: MIT
#include "gui/app/commands/command_actions.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>

namespace lanes::gui {

namespace {

/// With the timeline's key where the command has none that works everywhere: shown, not registered.
QString menuTextOf(const Command& command)
{
    const QList<QKeySequence> keys = timelineKeys(command);
    return windowKeys(command).isEmpty() && !keys.isEmpty()
        ? command.text + QLatin1Char('\t') + keys.first().toString(QKeySequence::NativeText)
        : command.text;
}

}  // namespace

CommandActions::CommandActions(QMainWindow* window)
    : QObject(window)
    , m_window(window)
{
}

void CommandActions::fill(const CommandTable& table)
{
    m_table = &table;
    QMenuBar* bar = m_window->menuBar();
    for (const Menu menu :
        {Menu::file, Menu::edit, Menu::view, Menu::go, Menu::compare, Menu::lesson, Menu::run, Menu::help}) {
        m_menus[menu] = bar->addMenu(menuText(menu));
    }
    for (const Menu menu : {Menu::scope, Menu::lanes, Menu::theme, Menu::language}) {
        m_menus[menu] = new QMenu(menuText(menu), m_window);
    }
    for (QMenu* menu : std::as_const(m_menus)) {
        menu->setToolTipsVisible(true);
    }
    for (const Command& command : table) {
        QAction* act = action(command.id);
        act->setCheckable(static_cast<bool>(command.checked));
        connect(act, &QAction::triggered, this, [this, run = command.run] {
            run();
            emit done();
        });
        if (command.separator) {
            m_menus[command.menu]->addSeparator();
        }
        m_menus[command.menu]->addAction(act);
        m_window->addAction(act);  // its keys work where the menus are hidden, too
    }
    showKeys();
    m_menus[Menu::view]->addSeparator();
    for (const Menu menu : {Menu::scope, Menu::lanes, Menu::theme, Menu::language}) {
        m_menus[Menu::view]->addMenu(m_menus[menu]);
    }
}

void CommandActions::showKeys()
{
    for (const Command& command : *m_table) {
        QAction* act = action(command.id);
        act->setText(menuTextOf(command));
        act->setToolTip(tooltipOf(command));
        act->setShortcuts(windowKeys(command));
    }
}

QAction* CommandActions::action(const char* id)
{
    QAction*& found = m_actions[id];
    if (found == nullptr) {
        Q_ASSERT_X(m_table == nullptr || m_table->find(id) != nullptr, "CommandActions::action", id);
        found = new QAction(m_window);
        found->setObjectName(QLatin1String(id));
    }
    return found;
}

QPushButton* CommandActions::button(const char* id, const QString& text)
{
    auto* button = new QPushButton(text);
    QAction* act = action(id);
    const auto follow = [button, act] {
        button->setCheckable(act->isCheckable());
        button->setEnabled(act->isEnabled());
        button->setChecked(act->isChecked());
        button->setToolTip(act->toolTip());
        button->setAccessibleDescription(act->toolTip());
    };
    connect(act, &QAction::changed, button, follow);
    connect(button, &QPushButton::clicked, act, &QAction::trigger);
    follow();
    return button;
}

void CommandActions::refresh()
{
    for (const Command& command : *m_table) {
        QAction* act = action(command.id);
        act->setEnabled(!command.enabled || command.enabled());
        if (command.checked) {
            act->setChecked(command.checked());
        }
    }
}

}  // namespace lanes::gui
