// SPDX-License-Identifier: MIT
// The menu of an event in the lanes: a right click on it, or the menu key for the selected one. What it does, it does
// with the selection, which a right click sets first. A right click beside the lanes' events opens nothing; on the name
// of a lane the view's own menu opens.
#pragma once

#include "gui/lanes/item_ref.h"

#include <QObject>
#include <QPoint>

#include <functional>

class QMenu;

namespace lanes::gui {

class CommandActions;
class ComparisonView;
class Workspace;

class OperationMenu : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Workspace* workspace;
        ComparisonView* timeline;
        CommandActions* actions;
        std::function<void()> showEvents;  ///< brings the table of events to the front
        /// Shows what changes would bring that are limited to what a query matches, which is called by a title.
        std::function<void(const QString& query, const QString& title)> whatIf;
    };
    explicit OperationMenu(const Parts& parts);

    /// Of the selected event; null where nothing is selected.
    QMenu* menu();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(QMenu* menu, int side, EventRef event);
    void addMarks(QMenu* menu, int side, EventRef event);
    void addFilters(QMenu* menu, int side, EventRef event);
    void addPredictions(QMenu* menu, int side, EventRef event);
    bool open(int side, QPoint at);

    Parts m_parts;
    QMenu* m_menu;
};

}  // namespace lanes::gui
