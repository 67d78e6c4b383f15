// SPDX-License-Identifier: MIT
// The table of events under the timeline: filtered by a query and the visible range, sorted by any column; Enter or a
// double click jumps to the event. The list of kinds writes kind: into the query.
#pragma once

#include "gui/panels/events_model.h"

#include <QWidget>

class QCheckBox;
class QHBoxLayout;
class QComboBox;
class QLabel;
class QTableView;
class QTimer;

namespace lanes::gui {

class QueryField;
class Workspace;

class EventsPanel : public QWidget {
    Q_OBJECT
public:
    explicit EventsPanel(QWidget* parent = nullptr);
    /// Follows what is open and what is selected, and says there what the user chooses.
    void observe(Workspace* workspace);

    /// The open recordings, A first. Their tables are built when the panel is next seen.
    void setRecordings(const std::vector<OpenRecordingPtr>& recordings);
    /// Marks the event's row, without a jump back; side 0 is A.
    void select(int side, EventRef event);
    /// What the timeline shows of A and of B, for the check box "visible range only".
    void setVisibleRanges(const std::array<Interval, 2>& ranges);
    void focusFilter();

    EventsModel* model() const { return m_model; }
    QTableView* table() const { return m_table; }

signals:
    void jumpWanted(int side, EventRef event);  ///< select it and bring it into view
    void selectWanted(int side, EventRef event);  ///< select it

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refill();
    void fitStart();
    void filterChanged();
    void writeKind();
    void showSelected();
    void updateCount();
    void copy() const;

    std::vector<OpenRecordingPtr> m_recordings;
    EventRef m_selected;  // in the timeline, of the recording that is shown
    QTimer* m_rangeTimer;
    bool m_stale = false;
    bool m_following = false;
    std::array<Interval, 2> m_visible {};
    EventsModel* m_model;
    QComboBox* m_side;
    QComboBox* m_kind;
    QueryField* m_query;
    QCheckBox* m_visibleOnly;
    QLabel* m_count;
    QHBoxLayout* m_head = nullptr;
    QTableView* m_table;
};

}  // namespace lanes::gui
