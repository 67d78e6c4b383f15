// SPDX-License-Identifier: MIT
#include "gui/paint/waterfall.h"

#include "gui/paint/timeline_frame.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/time_format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

struct WaterfallTexts {
    Q_DECLARE_TR_FUNCTIONS(lanes::gui::Waterfall)
};

constexpr int side_margin = 14;
constexpr int headline_height = 24;
constexpr int step_height = 18;
constexpr int bar_height = 15;
constexpr int step_foot = 6;
constexpr double step_inset = 8;
constexpr LabelPainter::Style headline_style {12, TextStyle::semiBold};
constexpr LabelPainter::Style step_style {11, TextStyle::medium};
constexpr LabelPainter::Style aside_style {11, TextStyle::regular};

/// A row: its bar, and its words in it or, where it is too short, beside it.
void paintStep(QPainter& painter, const Theme& theme, LabelPainter& labels, const Waterfall::Row& row, QRectF bar,
    Interval room, bool vector)
{
    const double y = bar.center().y();
    const QRectF seen = bar.intersected(QRectF(room.start, bar.y(), room.end - room.start, bar.height()));
    painter.fillRect(seen.width() < 1 ? QRectF(bar.x(), bar.y(), 1, bar.height()) : seen,
        QColor(row.by < 0 ? Waterfall::went : Waterfall::came));
    const auto& [name, more, note, by, a, b] = row;
    const double nameWidth = labels.width(name, step_style), moreWidth = labels.width(more, step_style);
    const double noteWidth = labels.width(note, aside_style);
    if (seen.width() >= nameWidth + moreWidth + 3 * step_inset) {
        labels.draw(painter, seen.x() + step_inset, y, name, step_style, QColor(Waterfall::onBar), vector);
        labels.draw(
            painter, seen.right() - step_inset - moreWidth, y, more, step_style, QColor(Waterfall::onBar), vector);
        const double within = seen.x() + 2 * step_inset + nameWidth, beside = seen.right() + step_inset;
        if (within + noteWidth + 2 * step_inset + moreWidth <= seen.right()) {
            labels.draw(painter, within, y, note, aside_style, QColor(Waterfall::onBar), vector);
        } else if (beside + noteWidth <= static_cast<double>(room.end)) {
            labels.draw(painter, beside, y, note, aside_style, theme.muted, vector);
        }
        return;
    }
    const double wide = moreWidth + step_inset + nameWidth;
    const bool after = bar.right() + step_inset + wide <= static_cast<double>(room.end);
    double x = after ? std::max(bar.right(), static_cast<double>(room.start)) + step_inset
                     : std::min(bar.x(), static_cast<double>(room.end)) - step_inset - wide;
    labels.draw(painter, x, y, more, step_style, theme.text, vector);
    labels.draw(painter, x += moreWidth + step_inset, y, name, step_style, theme.text, vector);
    if (after && x + nameWidth + step_inset + noteWidth <= static_cast<double>(room.end)) {
        labels.draw(painter, x + nameWidth + step_inset, y, note, aside_style, theme.muted, vector);
    }
}

}  // namespace

std::vector<Waterfall::Row> Waterfall::rows() const
{
    std::vector<Row> all;
    for (const auto& step : steps) {
        all.push_back({QString::fromStdString(engineMessages().format(step.what)), differenceText(step.b - step.a),
            QString::fromStdString(note_text(step, engineMessages())), step.b - step.a, step.a, step.b});
    }
    return all;
}

QStringList Waterfall::tipAt(double y) const
{
    const double place = std::floor((y - headline_height) / step_height);
    if (place < 0 || place >= static_cast<double>(steps.size())) {
        return {};
    }
    const Row row = rows()[static_cast<std::size_t>(place)];
    QStringList tip {row.name, QStringLiteral("A %1, B %2: %3").arg(formatTime(row.a), formatTime(row.b), row.more)};
    if (!row.note.isEmpty()) {
        tip += row.note;
    }
    return tip;
}

int Waterfall::height() const
{
    return headline_height + static_cast<int>(steps.size()) * step_height + step_foot;
}

bool Waterfall::isTypical() const
{
    return std::all_of(shown.begin(), shown.end(), [](const auto& each) { return !each || each->typical; });
}

QString Waterfall::title() const
{
    const Ns a = parts.a.end - parts.a.start, b = parts.b.end - parts.b.start;
    const auto factor = [](Ns from, Ns to) {
        return ratioText(
            static_cast<double>(std::max(from, to)) / static_cast<double>(std::max<Ns>(std::min(from, to), 1)));
    };
    const auto times
        = [](Ns from, Ns to) { return QStringLiteral("%1 \u2192 %2").arg(formatTime(from), formatTime(to)); };
    const QString faster = isTypical() ? WaterfallTexts::tr("An iteration of B is %1 times as fast: %2")
                                       : WaterfallTexts::tr("The shown iteration of B is %1 times as fast: %2");
    const QString slower = isTypical() ? WaterfallTexts::tr("An iteration of B takes %1 times as long: %2")
                                       : WaterfallTexts::tr("The shown iteration of B takes %1 times as long: %2");
    const QString head = are_the_same_time(a, b)
        ? WaterfallTexts::tr("Both iterations take the same time: %1").arg(formatTime(a))
        : (b < a ? faster : slower).arg(factor(a, b), times(a, b));
    if (!parts.hides_the_average()) {
        return head;
    }
    const Ns from = parts.average_a, to = parts.average_b;
    const QString ratio = are_the_same_time(from, to)
        ? WaterfallTexts::tr("the same")
        : (to < from ? WaterfallTexts::tr("%1 times as fast") : WaterfallTexts::tr("%1 times as long"))
              .arg(factor(from, to));
    return WaterfallTexts::tr("%1; on average %2: %3").arg(head, ratio, times(from, to));
}

QStringList Waterfall::lines() const
{
    QStringList all {title()};
    for (const Row& row : rows()) {
        all += QStringLiteral("%1: %2, %3").arg(row.name, row.more, row.note);
    }
    return all;
}

void Waterfall::paint(QPainter& painter, const Theme& theme, LabelPainter& labels, int width,
    const std::function<double(Ns)>& xOf, bool vector) const
{
    painter.fillRect(QRectF(0, 0, width, height()), theme.background);
    painter.fillRect(QRectF(0, height() - 1, width, 1), theme.line);
    const int left = FrameGeometry::labelWidthFor(width);
    const Interval room {left, width - side_margin};
    const QString head = title();
    const double y = headline_height / 2.0;
    labels.draw(painter, left, y, labels.elided(head, width - left - side_margin, headline_style), headline_style,
        theme.text, vector);
    const QString of = (isTypical() ? WaterfallTexts::tr("typical iterations, %1 of %2 and %3 of %4")
                                    : WaterfallTexts::tr("iterations %1 of %2 and %3 of %4"))
                           .arg(parts.number_a)
                           .arg(parts.count_a)
                           .arg(parts.number_b)
                           .arg(parts.count_b);
    if (const double at = left + labels.width(head, headline_style) + 2 * step_inset;
        at + labels.width(of, aside_style) <= static_cast<double>(room.end)) {
        labels.draw(painter, at, y, of, aside_style, theme.muted, vector);
    }
    labels.draw(painter, side_margin, y, WaterfallTexts::tr("What changed"), headline_style, theme.text, vector);
    const QStringList sub
        = labels.wrapped(WaterfallTexts::tr("on the critical path of one iteration, on the lanes' scale"),
            left - 2.0 * side_margin, left - 2.0 * side_margin, aside_style);
    for (qsizetype i = 0; i < std::min<qsizetype>(sub.size(), static_cast<qsizetype>(steps.size())); ++i) {
        labels.draw(painter, side_margin, headline_height + (static_cast<double>(i) + 0.5) * step_height, sub[i],
            aside_style, theme.muted, vector);
    }
    Ns at = parts.a.end;
    double top = headline_height;
    bool first = true;
    for (const Row& row : rows()) {
        const Ns next = at + row.by;
        const double from = xOf(std::min(at, next)), to = xOf(std::max(at, next));
        if (const double edge = xOf(at); !first && edge >= left && edge < width) {
            painter.fillRect(QRectF(std::floor(edge), top - step_height + bar_height, 1, step_height - bar_height),
                theme.muted);  // from the bar above
        }
        paintStep(painter, theme, labels, row, QRectF(from, top, to - from, bar_height), room, vector);
        at = next;
        first = false;
        top += step_height;
    }
}

}  // namespace lanes::gui
