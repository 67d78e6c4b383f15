// SPDX-License-Identifier: MIT
#include "gui/panels/name_dots.h"

#include "gui/panels/theme_of.h"
#include "gui/session/format.h"
#include "gui/timeline/spoken_selection.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double dot_radius = 2.5, ring_radius = 5;
constexpr double finger = 12;  // how far from a dot a click may be
constexpr double axis_gap = 6;  // between the axis' texts and the dots

}  // namespace

NameDots::NameDots(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("nameDots"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    speakAs(this, QAccessible::Chart);
    setAccessibleName(tr("Lengths of all of this name"));
}

void NameDots::show(const CardFigures& figures, const NameDot& chosen, const QColor& color)
{
    m_figures = figures;
    m_chosen = chosen;
    m_color = color;
    setAccessibleDescription(tr("%L1 of this name, %2 to %3, this one %4")
                                 .arg(figures.count)
                                 .arg(formatTime(figures.least), formatTime(figures.most), formatTime(chosen.length)));
    setVisible(figures.count > 1);
    update();
}

QFont NameDots::axisFont() const
{
    QFont small = font();
    small.setPixelSize(std::max(QFontMetrics(small).ascent() - 1, 9));
    return small;
}

double NameDots::axisWidth() const
{
    const QFontMetricsF metrics(axisFont());
    return std::max(
        metrics.horizontalAdvance(formatTime(m_figures.most)), metrics.horizontalAdvance(formatTime(m_figures.least)));
}

QRectF NameDots::plot() const
{
    constexpr double around = ring_radius + 2;
    return QRectF(rect()).adjusted(axisWidth() + axis_gap + around, around, -around, -around);
}

std::vector<NameDots::AxisText> NameDots::axisTexts() const
{
    const double high = QFontMetricsF(axisFont()).height();
    const auto at = [&](Ns length) {
        const double middle = placeOf({no_row, m_figures.span.start, length}).y();
        const double top = std::clamp(middle - high / 2, 0.0, std::max(height() - high, 0.0));
        return AxisText {formatTime(length), QRectF(0, top, axisWidth(), high)};
    };
    std::vector<AxisText> texts {at(m_figures.most)};
    if (m_figures.least < m_figures.most) {
        texts.push_back(at(m_figures.least));
    }
    return texts;
}

QPointF NameDots::placeOf(const NameDot& dot) const
{
    const QRectF area = plot();
    const auto share = [](Ns value, Ns least, Ns most, double onlyOne) {
        return most <= least ? onlyOne : static_cast<double>(value - least) / static_cast<double>(most - least);
    };
    return {area.left() + share(dot.start, m_figures.span.start, m_figures.span.end, 0) * area.width(),
        area.bottom() - share(dot.length, m_figures.least, m_figures.most, 0.5) * area.height()};
}

const NameDot* NameDots::dotAt(QPointF at) const
{
    const NameDot* nearest = nullptr;
    double least = finger;
    for (const NameDot& dot : m_figures.dots) {
        const QPointF apart = placeOf(dot) - at;
        if (const double distance = std::hypot(apart.x(), apart.y()); distance < least) {
            least = distance;
            nearest = &dot;
        }
    }
    return nearest;
}

void NameDots::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plot();
    painter.setPen(QPen(theme.line, 1));
    painter.drawLine(area.bottomLeft() + QPointF(0, 0.5), area.bottomRight() + QPointF(0, 0.5));
    const NameDot median {no_row, m_figures.span.start, m_figures.median};
    painter.setPen(QPen(theme.line, 1, Qt::DashLine));
    painter.drawLine(QPointF(area.left(), placeOf(median).y()), QPointF(area.right(), placeOf(median).y()));
    painter.setFont(axisFont());
    painter.setPen(theme.muted);
    for (const AxisText& axis : axisTexts()) {
        painter.drawText(axis.box, Qt::AlignRight | Qt::AlignVCenter, axis.text);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_color);
    for (const NameDot& dot : m_figures.dots) {
        painter.drawEllipse(placeOf(dot), dot_radius, dot_radius);
    }
    painter.drawEllipse(placeOf(m_chosen), dot_radius, dot_radius);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.isDark() ? QColor(Qt::white) : theme.accent, 1.6));
    painter.drawEllipse(placeOf(m_chosen), ring_radius, ring_radius);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
}

void NameDots::mousePressEvent(QMouseEvent* event)
{
    if (const NameDot* dot = event->button() == Qt::LeftButton ? dotAt(event->position()) : nullptr) {
        emit chosen(dot->row);
    }
}

void NameDots::mouseMoveEvent(QMouseEvent* event)
{
    dotAt(event->position()) != nullptr ? setCursor(Qt::PointingHandCursor) : unsetCursor();
}

void NameDots::keyPressEvent(QKeyEvent* event)
{
    const auto& dots = m_figures.dots;
    const auto isBefore = [](const NameDot& a, const NameDot& b) { return a.start < b.start; };
    if (event->key() == Qt::Key_Right) {
        const auto next = std::upper_bound(dots.begin(), dots.end(), m_chosen, isBefore);
        if (next != dots.end()) {
            emit chosen(next->row);
        }
    } else if (event->key() == Qt::Key_Left) {
        const auto from = std::lower_bound(dots.begin(), dots.end(), m_chosen, isBefore);
        if (from != dots.begin()) {
            emit chosen((from - 1)->row);
        }
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool NameDots::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const NameDot* dot = dotAt(help->pos());
        dot == nullptr ? QToolTip::hideText()
                       : QToolTip::showText(help->globalPos(),
                           tr("%1 at %2").arg(formatTime(dot->length), formatTime(dot->start)), this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace lanes::gui
