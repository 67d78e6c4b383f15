// SPDX-License-Identifier: MIT
// The figures of `lanes report` as a table, with A, B and their difference side by
// side; of the whole recordings or of a selected range.
#pragma once

#include "gui/session/open_recording.h"
#include "gui/timeline/latest_answer.h"

#include <QTreeWidget>

#include <array>
#include <vector>

namespace lanes::gui {

class Workspace;

class StatisticsPanel : public QTreeWidget {
    Q_OBJECT
public:
    explicit StatisticsPanel(QWidget* parent = nullptr);
    /// Follows what is open and which range is selected.
    void observe(Workspace* workspace);

    /// The open recordings, A first. The table is filled when the panel is next seen.
    void setRecordings(const std::vector<OpenRecordingPtr>& recordings);
    /// Figures of these ranges alone, one of A and one of B; empty ones: of the whole. They come a little later, and
    /// only while the panel is seen.
    void setRanges(const std::array<Interval, 2>& ranges);

    /// The table as tab-separated lines.
    QString asText() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    using Reports = std::vector<std::shared_ptr<const Report>>;

    void compute();
    void refill(const Reports& reports);
    void nameColumns();
    QString scopeText() const;

    std::vector<OpenRecordingPtr> m_recordings;
    std::array<Interval, 2> m_ranges {};
    bool m_filtered = false;  // the lanes are; the figures never
    bool m_stale = false;  // what is shown is not of m_ranges
    QString m_problem;  // why there are no figures of m_ranges
    LatestAnswer<Reports> m_reports;  // of a range
};

}  // namespace lanes::gui
