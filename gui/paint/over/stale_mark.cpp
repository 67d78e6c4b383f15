// SPDX-License-Identifier: MIT
#include "gui/paint/over/stale_mark.h"

#include "gui/paint/words/time_format.h"

#include <QCoreApplication>
#include <QPainter>

namespace lanes::gui {

namespace {

struct StaleMarkTexts {
    Q_DECLARE_TR_FUNCTIONS(StaleMark)
};

constexpr std::size_t most_reads = 400;  // of a row: more are closer together than their signs
constexpr double sign = 13;
constexpr double most_plate = 17, least_plate = 14;  // over the rows beside it where its own is thin
constexpr int least_row = 5;
constexpr double sign_inset = 5;
constexpr LabelPainter::Style text_style {11, TextStyle::semiBold};

void paintSign(QPainter& painter, double x, double middle, const Theme& theme)
{
    const double top = middle - sign / 2 + 0.5;
    const QPointF corners[] = {{x + sign / 2, top}, {x + sign, top + sign - 1.5}, {x, top + sign - 1.5}};
    painter.setPen(QPen(theme.pillCautionText, 1.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(theme.pillCaution);
    painter.drawPolygon(corners, 3);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.pillCautionText);
    painter.drawRect(QRectF(x + sign / 2 - 0.75, top + 4.2, 1.5, 4));
    painter.drawRect(QRectF(x + sign / 2 - 0.75, top + 9, 1.5, 1.5));
}

/// Where the next item begins after `t` in a row, or in one that is on it: in narrow pictures a thread's calls do.
double nextX(const TimelineFrame& frame, const PlacedLane& lane, const PlacedRow& row, Ns t)
{
    double next = frame.geometry.size.width();
    for (const PlacedRow& other : lane.rows) {
        const RowItems& items = frame.model.lanes()[other.lane].rows[other.row].items;
        const std::size_t i = items.firstStartingAt(t + 1);
        if (other.y == row.y && i < items.size()) {
            next = std::min(next, frame.xOf(items.start(i)));
        }
    }
    return next;
}

}  // namespace

QStringList staleTexts(const Read& read)
{
    return {StaleMarkTexts::tr("%1 of %2 read wrong").arg(formatBytes(read.wrong_bytes), formatBytes(read.bytes)),
        StaleMarkTexts::tr("%1 wrong").arg(formatBytes(read.wrong_bytes)), StaleMarkTexts::tr("wrong")};
}

void paintStaleReads(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector)
{
    const Trace& trace = frame.model.trace();
    const Ns from = frame.scale.timeAt(0);
    const double edge = frame.geometry.size.width();
    for (const PlacedLane& lane : frame.layout.lanes()) {
        const int top = frame.isSticky(lane) ? frame.geometry.lanesTop() : frame.scrollTop();
        for (const PlacedRow& placed : lane.rows) {
            const LaneRow& row = frame.model.lanes()[placed.lane].rows[placed.row];
            const double y = frame.yOf(lane, placed);
            if (row.kind != ItemKind::read || y < top || placed.height < least_row
                || y > frame.geometry.size.height()) {
                continue;
            }
            const double middle = y + placed.height / 2.0;
            const double plate = std::clamp<double>(placed.height, least_plate, most_plate);
            const std::size_t first = row.items.firstEndingAfter(from);
            for (std::size_t i = first; i < std::min(row.items.size(), first + most_reads); ++i) {
                const double x0 = std::max(frame.xOf(row.items.start(i)), double(frame.geometry.labelWidth));
                const Read& read = trace.reads[row.items.place(i)];
                if (x0 >= edge) {
                    break;
                }
                if (read.wrong_bytes == 0) {
                    continue;
                }
                const double room = nextX(frame, lane, placed, row.items.start(i)) - x0 - sign - 3 * sign_inset;
                const QString text = labels.fitting(staleTexts(read), room, text_style);
                if (!text.isEmpty()) {
                    painter.setPen(Qt::NoPen);
                    painter.setBrush(frame.theme.pillCaution);
                    painter.drawRoundedRect(QRectF(x0 + 2, middle - plate / 2,
                                                labels.width(text, text_style) + sign + 3 * sign_inset - 2, plate),
                        4, 4);
                    labels.draw(painter, x0 + sign + 2 * sign_inset, middle, text, text_style,
                        frame.theme.pillCautionText, vector);
                }
                paintSign(painter, x0 + sign_inset, middle, frame.theme);
            }
        }
    }
}

}  // namespace lanes::gui
