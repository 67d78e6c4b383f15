// SPDX-License-Identifier: MIT
// The table of events under the timeline: filtered by a query and the scope, sorted by any column; Enter or a
// double click jumps to the event. The list of kinds writes kind: into the query.
#pragma once

#include "gui/panels/events_model.h"

#include <QWidget>

class QHBoxLayout;
class QComboBox;
class QLabel;
class QTableView;

namespace lanes::gui {

class QueryField;
class Workspace;

class EventsPanel : public QWidget {
    Q_OBJECT
public:
    explicit EventsPanel(QWidget* parent = nullptr);
    /// Follows what is open, selected and in view; what the user chooses here is selected there. Tables are built when
    /// the panel is next seen.
    void observe(Workspace* workspace);
    void focusFilter();

    EventsModel* model() const { return m_model; }
    QTableView* table() const { return m_table; }

signals:
    void jumpWanted(int side, EventRef event);  ///< select it and bring it into view
    void selectWanted(int side, EventRef event);  ///< select it

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildFilter();
    void buildTable();
    void connectParts();
    void listRecordings();
    void refill();
    void fitStart();
    void followSelection();
    void filterChanged();
    void writeKind();
    void showSelected();
    void updateCount();
    void copy() const;

    const Workspace* m_workspace = nullptr;
    EventRef m_selected;  // in the timeline, of the recording that is shown
    bool m_following = false;
    EventsModel* m_model;
    QComboBox* m_side;
    QComboBox* m_kind;
    QueryField* m_query;
    QLabel* m_count;
    QHBoxLayout* m_head = nullptr;
    QTableView* m_table;
};

}  // namespace lanes::gui
