// SPDX-License-Identifier: MIT
// The figures of `lanes report` as a table, with A, B and their difference side by
// side; of the whole recordings or of a selected range.
#pragma once

#include "gui/panels/open_recording.h"

#include <QTreeWidget>

#include <vector>

namespace lanes::gui {

class StatisticsPanel : public QTreeWidget {
    Q_OBJECT
public:
    explicit StatisticsPanel(QWidget* parent = nullptr);

    /// The open recordings, A first.
    void setRecordings(const std::vector<OpenRecordingPtr>& recordings);
    /// Figures of this range alone; an empty one: of the whole.
    void setRange(Interval range);

    /// The table as tab-separated lines.
    QString asText() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void refill();

    std::vector<OpenRecordingPtr> m_recordings;
    Interval m_range {0, 0};
};

}  // namespace lanes::gui
