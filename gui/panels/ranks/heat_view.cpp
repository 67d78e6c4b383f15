// SPDX-License-Identifier: MIT
#include "gui/panels/ranks/heat_view.h"

#include "gui/panels/theme_of.h"
#include "gui/timeline/spoken_selection.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace lanes::gui {

HeatView::HeatView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("heatMap"));
    setFocusPolicy(Qt::StrongFocus);
    speakAs(this, QAccessible::Chart);
    setAccessibleName(tr("Heat map of ranks over time"));
    setAccessibleDescription(tr("Arrow keys choose a rank and a moment"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QRectF HeatView::box() const
{
    return QRectF(rect()).adjusted(12, 2, -8, -6);
}

void HeatView::setJob(OpenJobPtr job)
{
    m_job = std::move(job);
    m_map = m_job ? m_job->map(m_measure) : HeatMap();
    m_chosen.reset();
    m_second.reset();
    m_moment.reset();
    m_painter.forget();
    update();
}

void HeatView::setMeasure(HeatMeasure measure)
{
    m_measure = measure;
    m_map = m_job ? m_job->map(m_measure) : HeatMap();
    update();
}

void HeatView::mark(std::optional<std::size_t> chosen, std::optional<std::size_t> second, std::optional<Ns> moment)
{
    m_chosen = chosen;
    m_second = second;
    m_moment = moment;
    if (m_job && chosen && moment) {
        setAccessibleDescription(m_job->tipOf(m_measure, *chosen, *moment));
    }
    update();
}

void HeatView::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const Theme& theme = themeOf(palette());
    painter.fillRect(rect(), theme.background);
    if (!m_job) {
        return;
    }
    const auto row = [&](std::optional<std::size_t> rank) { return rank ? m_job->row_of[*rank] : -1; };
    m_painter.paint(painter, box(), m_map, {row(m_chosen), row(m_second), m_moment}, theme, m_labels, false);
}

void HeatView::mousePressEvent(QMouseEvent* event)
{
    if (!m_job || event->button() != Qt::LeftButton) {
        return;
    }
    const HeatPlaces places(m_map, box());
    const int row = places.rowAt(event->position().y());
    if (row < 0) {
        return;
    }
    const std::size_t rank = m_job->rows[static_cast<std::size_t>(row)];
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        emit secondChosen(rank);
        return;
    }
    const bool isOnMap = event->position().x() >= places.plot().left();
    const Ns moment = isOnMap ? places.timeAt(event->position().x()) : m_moment.value_or(m_job->firstMoment());
    emit chosen(rank, moment);
}

/// To another row, or to another column of the map.
void HeatView::step(int rows, int columns)
{
    const auto last = static_cast<int>(m_job->rows.size()) - 1;
    const int from = m_chosen ? m_job->row_of[*m_chosen] : -rows;
    const int row = std::clamp(from + rows, 0, last);
    const JobHeat& heat = m_job->heat(m_measure);
    const Ns now = m_moment.value_or(m_job->firstMoment());
    const Ns column = (heat.time.end - heat.time.start) / static_cast<Ns>(heat_columns);
    const Ns moment = std::clamp(now + columns * column, heat.time.start, heat.time.end);
    emit chosen(m_job->rows[static_cast<std::size_t>(row)], moment);
}

void HeatView::keyPressEvent(QKeyEvent* event)
{
    constexpr int page = 16;
    if (!m_job || m_job->rows.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Up:
        step(-1, 0);
        break;
    case Qt::Key_Down:
        step(1, 0);
        break;
    case Qt::Key_PageUp:
        step(-page, 0);
        break;
    case Qt::Key_PageDown:
        step(page, 0);
        break;
    case Qt::Key_Left:
        step(0, -1);
        break;
    case Qt::Key_Right:
        step(0, 1);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool HeatView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_job) {
        const auto* const asked = static_cast<QHelpEvent*>(event);
        const HeatPlaces places(m_map, box());
        const int row = places.rowAt(asked->pos().y());
        if (row >= 0 && asked->pos().x() >= places.plot().left()) {
            QToolTip::showText(asked->globalPos(),
                m_job->tipOf(m_measure, m_job->rows[static_cast<std::size_t>(row)], places.timeAt(asked->pos().x())),
                this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

CombView::CombView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("arrivals"));
    speakAs(this, QAccessible::Chart);
    setAccessibleName(tr("Arrivals of the ranks at one collective"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void CombView::setComb(std::optional<ArrivalComb> comb)
{
    m_comb = std::move(comb);
    setAccessibleDescription(m_comb ? m_comb->title + QStringLiteral(": ") + m_comb->said : QString());
    update();
}

void CombView::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const Theme& theme = themeOf(palette());
    painter.fillRect(rect(), theme.background);
    if (m_comb) {
        paintComb(painter, QRectF(rect()).adjusted(12, 0, -8, 0), *m_comb, theme, m_labels, false);
    }
}

HeatScale::HeatScale(QWidget* parent)
    : QWidget(parent)
{
    speakAs(this, QAccessible::Chart);
    setAccessibleName(tr("Colours of the heat map"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void HeatScale::setTop(Ns top)
{
    m_top = top;
    update();
}

void HeatScale::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    HeatPainter::paintScale(painter, rect(), m_top, themeOf(palette()), m_labels, false);
}

}  // namespace lanes::gui
