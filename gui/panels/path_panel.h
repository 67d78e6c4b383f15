// SPDX-License-Identifier: MIT
// The critical path in figures: what it is made of, and the share that each lane and each name has in it, with how much
// later those off it could have ended; and the idle time of all streams by what kept their next operations. A row leads
// to its longest part in the lanes. Found while the panel is seen, of the selected range or of the whole.
#pragma once

#include "gui/lanes/shown_path.h"

#include <QWidget>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace lanes::gui {

class CriticalPaths;
class IdleTimes;
class Workspace;

class PathPanel : public QWidget {
    Q_OBJECT
public:
    /// `onLanes` is in the heading: it shows the path on the lanes.
    explicit PathPanel(QWidget* onLanes, QWidget* parent = nullptr);
    void observe(Workspace* workspace, CriticalPaths* paths, IdleTimes* idle);

    QTreeWidget* table() const { return m_table; }
    /// The table as tab-separated lines.
    QString asText() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refill();
    void lead(const QTreeWidgetItem* row, int side);

    Workspace* m_workspace = nullptr;
    CriticalPaths* m_paths = nullptr;
    IdleTimes* m_idle = nullptr;
    QLabel* m_scope;
    QTreeWidget* m_table;
};

}  // namespace lanes::gui
