// SPDX-License-Identifier: MIT
#include "gui/timeline/iteration_strip.h"

#include "gui/paint/words/iteration_words.h"
#include "gui/timeline/spoken_selection.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <utility>

namespace lanes::gui {

IterationStrip::IterationStrip(QWidget* parent)
    : QWidget(parent)
    , m_theme(&Theme::named({}))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setFixedHeight(IterationBars::strip_height);
    speakAs(this, QAccessible::Chart);
    setAccessibleName(tr("All iterations"));
    setObjectName(QStringLiteral("iterationStrip"));
}

void IterationStrip::setBars(IterationBars bars)
{
    m_bars = std::move(bars);
    m_hovered.reset();
    setAccessibleDescription(m_bars.lines().join(QLatin1Char('\n')));
    update();
}

void IterationStrip::setTheme(const Theme& theme)
{
    m_theme = &theme;
    update();
}

void IterationStrip::setMagnification(double magnification)
{
    m_magnification = magnification;
    setFixedHeight(static_cast<int>(IterationBars::strip_height * magnification));
    update();
}

std::optional<IterationBars::Place> IterationStrip::at(QPointF point) const
{
    return m_bars.at(point / m_magnification, drawnWidth());
}

void IterationStrip::hover(std::optional<IterationBars::Place> place)
{
    if (place != m_hovered) {
        m_hovered = place;
        setCursor(place ? Qt::PointingHandCursor : Qt::ArrowCursor);
        update();
    }
}

bool IterationStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto place = at(help->pos());
        const auto* side = place ? &m_bars.sides[static_cast<std::size_t>(place->side)] : nullptr;
        const QString tip = side == nullptr ? QString()
                                            : iterationLine(*side->recording->trace, *side->iterations, place->index)
                + QLatin1Char('\n') + tr("A click shows it");
        QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    return QWidget::event(event);
}

void IterationStrip::mouseMoveEvent(QMouseEvent* event)
{
    hover(at(event->position()));
}

void IterationStrip::mousePressEvent(QMouseEvent* event)
{
    const auto place = at(event->position());
    if (place && event->button() == Qt::LeftButton) {
        emit chosen(place->side, place->index);
    }
}

void IterationStrip::leaveEvent(QEvent* event)
{
    hover({});
    QWidget::leaveEvent(event);
}

void IterationStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.scale(m_magnification, m_magnification);
    m_bars.paint(painter, *m_theme, m_labels, drawnWidth(), m_hovered, false);
}

}  // namespace lanes::gui
