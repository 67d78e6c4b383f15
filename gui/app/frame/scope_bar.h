// SPDX-License-Identifier: MIT
// The switch over the lanes: all figures are of the part that it shows as chosen. Each part has its length beside it. A
// part that does not exist cannot be chosen.
#pragma once

#include "gui/lanes/scope.h"

#include <QTimer>
#include <QWidget>

#include <array>

class QPushButton;

namespace lanes::gui {

class CommandActions;
class CommandTable;
class Workspace;

class ScopeBar : public QWidget {
    Q_OBJECT
public:
    ScopeBar(Workspace* workspace, CommandActions* actions, QWidget* parent = nullptr);

    static void addCommands(CommandTable& table, Workspace* workspace);

protected:
    void changeEvent(QEvent* event) override;

private:
    void read();
    QString lengthOf(Scope::Of of) const;

    Workspace* m_workspace;
    std::array<QPushButton*, Scope::count> m_parts {};
    QTimer m_later;  // once for all changes of a moment
};

}  // namespace lanes::gui
