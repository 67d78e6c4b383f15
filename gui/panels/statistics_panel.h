// SPDX-License-Identifier: MIT
// The figures of `lanes report` as a table, with A, B and their difference side by side, of the workspace's scope.
// Those of the scope before stay, in grey, until those of another are found; the few figures that are needed at once
// while a range grows come from gui/lanes/scope_figures.h, and are the same (tst_scope_figures).
#pragma once

#include "gui/session/open_recording.h"

#include <QTreeWidget>

#include <vector>

namespace lanes::gui {

class Workspace;

class StatisticsPanel : public QTreeWidget {
    Q_OBJECT
public:
    explicit StatisticsPanel(QWidget* parent = nullptr);
    void observe(Workspace* workspace);

    /// The table as tab-separated lines.
    QString asText() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refill();
    void nameColumns();

    Workspace* m_workspace = nullptr;
};

}  // namespace lanes::gui
