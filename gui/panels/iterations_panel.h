// SPDX-License-Identifier: MIT
// The iterations of a recording, one a row: a picture of each from its start, how long it took, how it differs from the
// typical one and what of its critical path made it so. A row selects the iteration on the lanes and shows it.
#pragma once

#include "gui/session/open_recording.h"

#include <QWidget>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace lanes::gui {

class FoundIterations;
class IterationChanges;
class IterationStrips;
class Workspace;

class IterationsPanel : public QWidget {
    Q_OBJECT
public:
    explicit IterationsPanel(QWidget* parent = nullptr);
    /// Shows those of the active side.
    void observe(Workspace* workspace, IterationChanges* shown);

    QTreeWidget* table() const { return m_table; }
    QString summary() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refill();
    void follow();
    void fit();
    void lead(const QTreeWidgetItem* row);

    Workspace* m_workspace = nullptr;
    FoundIterations* m_found = nullptr;
    IterationChanges* m_shown = nullptr;
    QLabel* m_summary;
    QTreeWidget* m_table;
    IterationStrips* m_strips;
    int m_side = 0;
};

}  // namespace lanes::gui
