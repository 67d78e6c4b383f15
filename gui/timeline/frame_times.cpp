// SPDX-License-Identifier: MIT
#include "gui/timeline/frame_times.h"

#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct FrameTimesTexts {
    Q_DECLARE_TR_FUNCTIONS(FrameTimes)
};

constexpr std::size_t kept = 240;
constexpr LabelPainter::Style style {11, TextStyle::regular};

QString ms(double value)
{
    return QString::number(value, 'f', 2);
}

}  // namespace

void FrameTimes::setShown(bool shown)
{
    m_shown = shown;
    m_lanes = {};
    m_over = {};
}

void FrameTimes::add(double milliseconds, bool lanes)
{
    Times& times = lanes ? m_lanes : m_over;
    times.last = milliseconds;
    if (times.ms.size() < kept) {
        times.ms.push_back(milliseconds);
    } else {
        times.ms[times.next++ % kept] = milliseconds;
    }
}

QStringList FrameTimes::lines(const LaneModel& model, int columns) const
{
    const auto line = [](const QString& name, const Times& times) {
        if (times.ms.empty()) {
            return FrameTimesTexts::tr("%1: none yet").arg(name);
        }
        std::vector<double> sorted = times.ms;
        std::sort(sorted.begin(), sorted.end());
        const auto at = [&](double share) {
            return sorted[std::min(
                sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
        };
        return FrameTimesTexts::tr("%1: %2 ms, median %3, p95 %4 of %5")
            .arg(name, ms(times.last), ms(at(0.5)), ms(at(0.95)))
            .arg(sorted.size());
    };
    std::size_t items = 0;
    std::size_t rows = 0;
    for (const Lane& lane : model.lanes()) {
        for (const LaneRow& row : lane.rows) {
            ++rows;
            items += row.items.size();
        }
    }
    return {line(FrameTimesTexts::tr("lanes"), m_lanes), line(FrameTimesTexts::tr("overlay"), m_over),
        FrameTimesTexts::tr("%L1 items in %2 rows, %3 columns, index %4")
            .arg(items)
            .arg(rows)
            .arg(columns)
            .arg(formatBytes(model.bytes()))};
}

void FrameTimes::paint(
    const QStringList& lines, QSize size, const Theme& theme, QPainter& painter, LabelPainter& labels)
{
    double width = 0;
    for (const QString& line : lines) {
        width = std::max(width, labels.width(line, style));
    }
    constexpr double step = 16;
    const QRectF box(size.width() - width - 32, size.height() - step * static_cast<double>(lines.size()) - 20,
        width + 20, step * static_cast<double>(lines.size()) + 10);
    painter.setPen(theme.line);
    painter.setBrush(theme.chip);
    painter.drawRoundedRect(box, 4, 4);
    double y = box.top() + 5 + step / 2;
    for (const QString& line : lines) {
        labels.draw(painter, box.left() + 10, y, line, style, theme.text, false);
        y += step;
    }
}

}  // namespace lanes::gui
