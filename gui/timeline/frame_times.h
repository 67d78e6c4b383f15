// SPDX-License-Identifier: MIT
// How long a view's last repaints took, for those who want to know.
#pragma once

#include "gui/lanes/lane_model.h"
#include "gui/paint/label_painter.h"

#include <QStringList>
#include <vector>

namespace lanes::gui {

class FrameTimes {
public:
    bool shown() const { return m_shown; }
    void setShown(bool shown);
    /// `lanes`: the repaint drew the lanes, not only what lies over them.
    void add(double ms, bool lanes);
    /// "lanes 1.92 ms · median 2.10 · p95 3.44 (120)", and so on: of the last 240 repaints of either kind, and what is
    /// drawn.
    QStringList lines(const LaneModel& model, int columns) const;
    /// A box in the lower right corner.
    static void paint(
        const QStringList& lines, QSize size, const Theme& theme, QPainter& painter, LabelPainter& labels);

private:
    struct Times {
        std::vector<double> ms;  // a ring once it is full
        std::size_t next = 0;
        double last = 0;
    };
    Times m_lanes, m_over;
    bool m_shown = false;
};

}  // namespace lanes::gui
