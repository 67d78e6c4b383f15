// SPDX-License-Identifier: MIT
// The figures of `lanes report` as a table, with A, B and their difference side by side, of the workspace's scope. They
// are a whole report of it, which takes a pass over its events; the few figures that are needed at once while a range
// grows come from gui/lanes/scope_figures.h, and are the same (tst_scope_figures).
#pragma once

#include "gui/session/open_recording.h"
#include "gui/timeline/question.h"
#include "gui/timeline/scope.h"

#include <QTreeWidget>

#include <vector>

namespace lanes::gui {

class Workspace;

class StatisticsPanel : public QTreeWidget {
    Q_OBJECT
public:
    explicit StatisticsPanel(QWidget* parent = nullptr);
    /// Follows what is open and the scope. Figures of a part come a little later; all of them only while the panel is
    /// seen.
    void observe(Workspace* workspace);

    /// The table as tab-separated lines.
    QString asText() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    using Reports = std::vector<std::shared_ptr<const Report>>;

    void compute();
    void refill(const Scope& scope, const Reports& reports);
    void nameColumns();
    void offerOtherScope(const Scope& scope, bool takesFocus);

    Workspace* m_workspace = nullptr;
    QString m_problem;  // why there are no figures
    Question<Reports> m_reports;
};

}  // namespace lanes::gui
