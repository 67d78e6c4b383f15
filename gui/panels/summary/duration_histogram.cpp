// SPDX-License-Identifier: MIT
#include "gui/panels/summary/duration_histogram.h"

#include "gui/paint/theme.h"
#include "gui/paint/words/time_format.h"
#include "gui/timeline/spoken_selection.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

DurationHistogram::DurationHistogram(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("durations"));
    speakAs(this, QAccessible::Chart);
    setAccessibleName(tr("Durations of the chosen name"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void DurationHistogram::show(const QString& title, const DurationBins& bins, bool pair)
{
    m_title = title;
    m_bins = bins;
    m_pair = pair;
    m_chosen.reset();
    m_pressed.reset();
    setAccessibleDescription(title);
    update();
}

QRectF DurationHistogram::plot() const
{
    const int line = fontMetrics().height();
    return QRectF(rect()).adjusted(10, line + 8, -12, -line - 6);
}

double DurationHistogram::edgeX(std::size_t edge) const
{
    const QRectF area = plot();
    const auto of = [&](std::size_t i) { return std::log(static_cast<double>(std::max<Ns>(m_bins.edges[i], 1))); };
    const double span = of(m_bins.size()) - of(0);
    return span <= 0 ? (edge == 0 ? area.left() : area.right())
                     : area.left() + area.width() * (of(edge) - of(0)) / span;
}

std::optional<std::size_t> DurationHistogram::binAt(QPointF at) const
{
    for (std::size_t bin = 0; bin < m_bins.size(); ++bin) {
        if (at.x() >= edgeX(bin) && at.x() < edgeX(bin + 1)) {
            return bin;
        }
    }
    return std::nullopt;
}

QString DurationHistogram::textOf(std::size_t first, std::size_t last) const
{
    const auto sum = [&](std::size_t side) {
        std::uint64_t count = 0;
        for (std::size_t bin = first; bin <= last; ++bin) {
            count += m_bins.counts[side][bin];
        }
        return static_cast<qulonglong>(count);
    };
    const QString counts = m_pair ? tr("A %L1, B %L2").arg(sum(0)).arg(sum(1)) : tr("%L1").arg(sum(0));
    return tr("%1 to %2: %3").arg(formatTime(m_bins.edges[first]), formatTime(m_bins.edges[last + 1] - 1), counts);
}

void DurationHistogram::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const bool dark = palette().color(QPalette::Base).lightness() < 128;
    const Theme& theme = Theme::named(dark ? QStringLiteral("dark") : QStringLiteral("light"));
    painter.setPen(theme.muted);
    const QString head = m_chosen ? textOf(m_chosen->first, m_chosen->second) : m_title;
    painter.drawText(QRectF(10, 3, width() - 20, fontMetrics().height()), Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(head, Qt::ElideMiddle, width() - 20));
    if (m_bins.size() > 0 && plot().height() >= 8) {
        const std::array<QColor, 2> colors {theme.accent, blend(theme.panel, theme.text, 0.62)};
        paintBars(painter, theme, colors);
        paintAxis(painter, theme);
        if (m_pair) {
            paintLetters(painter, colors);
        }
    }
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void DurationHistogram::paintBars(QPainter& painter, const Theme& theme, const std::array<QColor, 2>& colors) const
{
    const QRectF area = plot();
    if (m_chosen) {
        painter.fillRect(
            QRectF(QPointF(edgeX(m_chosen->first), area.top()), QPointF(edgeX(m_chosen->second + 1), area.bottom())),
            theme.chip);
    }
    const double most = static_cast<double>(m_bins.most());
    for (std::size_t bin = 0; bin < m_bins.size(); ++bin) {
        const bool out = m_chosen && (bin < m_chosen->first || bin > m_chosen->second);
        const double left = edgeX(bin), wide = std::max(edgeX(bin + 1) - left - 1, 1.0);
        for (std::size_t side = 0; side < (m_pair ? 2U : 1U); ++side) {
            const double count = static_cast<double>(m_bins.counts[side][bin]);
            if (count == 0) {
                continue;
            }
            const double high = std::max(area.height() * count / most, 2.0);  // one of a thousand is seen as well
            const double part = m_pair ? wide / 2 : wide;
            painter.fillRect(
                QRectF(left + static_cast<double>(side) * part, area.bottom() - high, std::max(part, 1.0), high),
                out ? blend(theme.panel, colors[side], 0.35) : colors[side]);
        }
    }
}

/// The ends, and the powers of ten between them that have room.
void DurationHistogram::paintAxis(QPainter& painter, const Theme& theme) const
{
    const QRectF area = plot();
    painter.setPen(theme.line);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(theme.muted);
    const double y = area.bottom() + 3;
    double free = -100;
    const auto write = [&](Ns at, double x, bool last) {
        const QString text = formatTime(at);
        const double wide = fontMetrics().horizontalAdvance(text);
        const double left = std::clamp(x - wide / 2, 4.0, width() - wide - 4.0);
        if (left > free + 6 || last) {
            painter.drawText(QRectF(left, y, wide + 1, fontMetrics().height()), Qt::AlignLeft, text);
            free = left + wide;
        }
    };
    const Ns least = m_bins.edges.front(), longest = m_bins.edges.back() - 1;
    write(least, area.left(), false);
    const double end = width() - fontMetrics().horizontalAdvance(formatTime(longest)) - 10.0;
    for (Ns power = 1; power < longest; power *= 10) {
        const auto at = std::lower_bound(m_bins.edges.begin(), m_bins.edges.end(), power);
        const double x = area.left()
            + area.width() * std::log(static_cast<double>(power) / static_cast<double>(std::max<Ns>(least, 1)))
                / std::max(
                    std::log(static_cast<double>(longest + 1) / static_cast<double>(std::max<Ns>(least, 1))), 1e-9);
        if (power > least && at != m_bins.edges.end()
            && x + fontMetrics().horizontalAdvance(formatTime(power)) / 2.0 < end) {
            write(power, x, false);
        }
    }
    if (longest > least && end > free) {
        write(longest, area.right(), true);
    }
}

void DurationHistogram::paintLetters(QPainter& painter, const std::array<QColor, 2>& colors) const
{
    const QRectF area = plot();
    painter.setPen(colors[0]);
    painter.drawText(QPointF(area.right() - 26, area.top() + fontMetrics().ascent()), QStringLiteral("A"));
    painter.setPen(colors[1]);
    painter.drawText(QPointF(area.right() - 12, area.top() + fontMetrics().ascent()), QStringLiteral("B"));
}

void DurationHistogram::choose(std::optional<std::pair<std::size_t, std::size_t>> chosen, bool done)
{
    m_chosen = chosen;
    update();
    if (!done) {
        return;
    }
    if (m_chosen) {
        setAccessibleDescription(textOf(m_chosen->first, m_chosen->second));
        emit intervalChosen(m_bins.edges[m_chosen->first], m_bins.edges[m_chosen->second + 1]);
    } else {
        setAccessibleDescription(m_title);
        emit intervalChosen(0, 0);
    }
}

void DurationHistogram::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_bins.size() > 0) {
        m_pressed = binAt(event->position());
        choose(m_pressed ? std::optional(std::pair(*m_pressed, *m_pressed)) : std::nullopt, false);
    }
}

void DurationHistogram::mouseMoveEvent(QMouseEvent* event)
{
    if (m_pressed) {
        const QRectF area = plot();
        const auto bin = binAt({std::clamp(event->position().x(), area.left(), area.right() - 0.5), 0});
        if (bin) {
            choose(std::pair(std::min(*bin, *m_pressed), std::max(*bin, *m_pressed)), false);
        }
    }
}

void DurationHistogram::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_bins.size() > 0) {
        m_pressed.reset();
        choose(m_chosen, true);
    }
}

void DurationHistogram::keyPressEvent(QKeyEvent* event)
{
    const int direction = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (m_bins.size() == 0 || (direction == 0 && (event->key() != Qt::Key_Escape || !m_chosen))) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (direction == 0) {
        choose({}, true);
        return;
    }
    const auto last = static_cast<int>(m_bins.size()) - 1;
    const auto moved = [&](std::size_t bin) {
        return static_cast<std::size_t>(std::clamp(static_cast<int>(bin) + direction, 0, last));
    };
    if (!m_chosen) {
        const std::size_t first = direction > 0 ? 0 : static_cast<std::size_t>(last);
        choose(std::pair(first, first), true);
    } else if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        choose(std::pair(m_chosen->first, std::max(moved(m_chosen->second), m_chosen->first)), true);
    } else {
        const std::size_t bin = moved(direction > 0 ? m_chosen->second : m_chosen->first);
        choose(std::pair(bin, bin), true);
    }
}

bool DurationHistogram::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const auto bin = binAt(help->pos());
        QToolTip::showText(help->globalPos(),
            bin ? textOf(*bin, *bin) : tr("Distribution of durations. Drag to mark the events of an interval"), this);
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride && m_chosen
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();  // first the interval, then what Esc means in the window
        return true;
    }
    return QWidget::event(event);
}

}  // namespace lanes::gui
