// SPDX-License-Identifier: MIT
// The marks of the open recordings: the menu that leads to them, and that they are remembered.
#pragma once

#include <QObject>

class QMenu;

namespace lanes::gui {

class ComparisonView;
class Workspace;

class MarkMenu : public QObject {
    Q_OBJECT
public:
    MarkMenu(Workspace* workspace, ComparisonView* timeline);

    /// "A · 2.31 ms · warm-up ends": a click goes there.
    QMenu* menu() const { return m_menu; }

private:
    void fill();

    Workspace* m_workspace;
    ComparisonView* m_timeline;
    QMenu* m_menu;
};

}  // namespace lanes::gui
