// SPDX-License-Identifier: MIT
#include "gui/panels/ranks/heat_view.h"

#include "gui/panels/theme_of.h"
#include "gui/timeline/spoken_selection.h"
#include "gui/timeline/time_moves.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lanes::gui {

HeatView::HeatView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("heatMap"));
    setFocusPolicy(Qt::StrongFocus);
    speakAs(this, QAccessible::Chart);
    setAccessibleName(tr("Heat map of ranks over time"));
    setAccessibleDescription(tr("Arrow keys choose a rank and a moment; keys of the lanes zoom and pan"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMouseTracking(true);
    m_history.add([this] { return ViewPlace {m_time.scale()}; },
        [this](const ViewPlace& place) {
            m_time.show(place.scale);
            look();
        });
}

void HeatView::setJob(OpenJobPtr job)
{
    m_job = std::move(job);
    m_chosen.reset();
    m_second.reset();
    m_moment.reset();
    m_history.clear();
    m_map = m_job ? m_job->map(m_job->heat(m_measure)) : HeatMap();
    if (m_job) {
        const Ns length = m_job->parts.time.end - m_job->parts.time.start;
        m_time.open(length, length, 1);
        if (const auto part = m_job->openedPart()) {
            // Before it has its size, so many columns say the part well enough to keep it.
            m_time.setColumns(std::max(minimumSizeHint().width(), static_cast<int>(plot().width())));
            const Ns begin = m_job->parts.time.start;
            m_time.show(m_time.showing({part->start - begin, part->end - begin}));
        }
    }
    updateGeometry();
    look();
}

void HeatView::setMeasure(HeatMeasure measure)
{
    m_measure = measure;
    look();
}

void HeatView::look()
{
    m_painter.forget();
    update();
    if (!m_job) {
        m_heat = {};
        return;
    }
    const Ns begin = m_job->parts.time.start;
    const Interval visible = m_time.visible();
    const Interval before = std::exchange(m_heat,
        showsAll() ? m_job->heat(m_measure) : m_job->heat(m_measure, {begin + visible.start, begin + visible.end}))
                                .time;
    m_map.cells = &m_heat.cells;
    m_map.time = m_heat.time;
    m_map.top = m_heat.top;
    if (before.start != m_heat.time.start || before.end != m_heat.time.end) {
        emit timeChanged(m_heat.time);
    }
}

void HeatView::show(const TimeScale& scale)
{
    TimeWindow time = m_time;
    time.show(scale);
    if (time.scale() != m_time.scale()) {
        m_history.remember();
        m_time = time;
        look();
    }
}

void HeatView::showAll()
{
    TimeWindow time = m_time;
    time.fit();
    show(time.scale());
}

void HeatView::zoomTo(Interval span)
{
    if (m_job) {
        const Ns begin = m_job->parts.time.start;
        show(m_time.showing(withMargins({span.start - begin, span.end - begin})));
    }
}

void HeatView::mark(std::optional<std::size_t> chosen, std::optional<std::size_t> second, std::optional<Ns> moment)
{
    m_chosen = chosen;
    m_second = second;
    m_moment = moment;
    if (m_job && chosen && moment) {
        const Ns at = *moment - m_job->parts.time.start;
        if (const auto scale = m_time.bringing({at, at})) {
            show(*scale);
        }
        setAccessibleDescription(m_job->tipOf(m_measure, m_heat, *chosen, *moment));
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
    if (m_drag == Drag::box) {
        const QRectF all = plot();
        painter.setPen(QPen(theme.accent, 1.4, Qt::DashLine));
        painter.drawRect(
            QRectF(QPointF(m_pressed.x(), all.top()), QPointF(m_dragged.x(), all.bottom())).normalized() & all);
    }
}

QSize HeatView::sizeHint() const
{
    constexpr int high_row = 14, low_row = 7, most_high = 16;
    constexpr int least = 176, most = 420;  // the least is that of a few rows of the table beside it
    constexpr int beside_rows = static_cast<int>(HeatPlaces::ruler_height) + 8;
    const int rows = static_cast<int>(std::min<std::size_t>(m_map.lines.size(), most / low_row));
    const int height = std::max(std::min(rows, most_high) * high_row, rows * low_row) + beside_rows;
    return {900, std::clamp(height, least, most)};
}

void HeatView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_time.setColumns(std::max(1, static_cast<int>(plot().width())));
    look();
}

std::optional<std::size_t> HeatView::rankAt(double y) const
{
    const int row = m_job ? HeatPlaces(m_map, box()).rowAt(y) : -1;
    return row < 0 ? std::nullopt : std::optional(m_job->rows[static_cast<std::size_t>(row)]);
}

void HeatView::mousePressEvent(QMouseEvent* event)
{
    if (!m_job || m_drag != Drag::none) {
        return;
    }
    const bool isLeft = event->button() == Qt::LeftButton;
    m_pressed = m_dragged = event->position();
    m_pressedScale = m_time.scale();
    if (event->button() == Qt::MiddleButton || (isLeft && event->modifiers().testFlag(Qt::ControlModifier))) {
        m_drag = Drag::box;
    } else if (isLeft && event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_drag = Drag::second;  // as long as it does not move
    } else if (const auto rank = rankAt(m_pressed.y()); isLeft && rank) {
        const HeatPlaces places(m_map, box());
        const bool isOnMap = m_pressed.x() >= places.plot().left();
        emit chosen(*rank, isOnMap ? places.timeAt(m_pressed.x()) : m_moment.value_or(m_job->firstMoment()));
    }
}

void HeatView::mouseMoveEvent(QMouseEvent* event)
{
    m_mouse = event->position().x();
    m_dragged = event->position();
    const double moved = m_dragged.x() - m_pressed.x();
    if (m_drag == Drag::second && std::abs(moved) >= QApplication::startDragDistance()) {
        m_drag = Drag::pan;
        setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag == Drag::pan) {
        show(m_pressedScale.panned(std::lround(-moved)));
    } else if (m_drag == Drag::box) {
        update();
    }
}

void HeatView::mouseReleaseEvent(QMouseEvent* event)
{
    m_dragged = event->position();
    unsetCursor();
    switch (std::exchange(m_drag, Drag::none)) {
    case Drag::box:
        update();
        if (m_job && std::abs(m_dragged.x() - m_pressed.x()) >= least_zoom_box) {
            const HeatPlaces places(m_map, box());
            const Ns begin = m_job->parts.time.start;
            const auto [from, to] = std::minmax({places.timeAt(m_pressed.x()), places.timeAt(m_dragged.x())});
            show(m_time.showing({from - begin, to - begin}));
        }
        break;
    case Drag::second:
        if (const auto rank = rankAt(m_pressed.y())) {
            emit secondChosen(*rank);
        }
        break;
    case Drag::pan:
    case Drag::none:
        break;
    }
}

void HeatView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier) {
        showAll();
    } else {
        mousePressEvent(event);
    }
}

void HeatView::wheelEvent(QWheelEvent* event)
{
    const auto scale
        = m_job ? movedBy(*event, m_time, std::max(0., event->position().x() - plot().left())) : std::nullopt;
    event->setAccepted(scale.has_value());
    if (scale) {
        show(*scale);
    }
}

void HeatView::leaveEvent(QEvent* /*event*/)
{
    m_mouse.reset();
}

/// False: it is none of a map's.
bool HeatView::perform(TimelineAction action)
{
    const QRectF all = plot();
    const double x = m_mouse && *m_mouse >= all.left() ? *m_mouse - all.left() : all.width() / 2;
    if (const auto scale = movedBy(action, m_time, x)) {
        show(*scale);
        return true;
    }
    switch (action) {
    case TimelineAction::showAll:
        showAll();
        return true;
    case TimelineAction::focusSelection:
        if (const auto collective = m_chosen && m_moment ? m_job->collectiveAt(*m_chosen, *m_moment) : std::nullopt) {
            const ArrivalComb comb = m_job->comb(*collective);
            zoomTo({comb.teeth.front().at, comb.end});
        }
        return true;
    case TimelineAction::previousView:
        m_history.back();
        return true;
    case TimelineAction::nextView:
        m_history.forward();
        return true;
    default:
        return false;
    }
}

/// To another row, or to another column of the map.
void HeatView::step(int rows, int columns)
{
    const auto last = static_cast<int>(m_job->rows.size()) - 1;
    const int from = m_chosen ? m_job->row_of[*m_chosen] : -rows;
    const int row = std::clamp(from + rows, 0, last);
    const Ns now = m_moment.value_or(m_job->firstMoment());
    const Ns column = std::max<Ns>(1, (m_heat.time.end - m_heat.time.start) / static_cast<Ns>(heat_columns));
    const Ns moment = std::clamp(now + columns * column, m_job->parts.time.start, m_job->parts.time.end);
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
        if (const auto action = actionOf(*event); !action || !perform(*action)) {
            QWidget::keyPressEvent(event);
        }
    }
}

bool HeatView::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && m_job) {  // keys that the menus have for the lanes
        const auto action = actionOf(*static_cast<QKeyEvent*>(event));
        constexpr std::array own {TimelineAction::zoomIn, TimelineAction::zoomOut, TimelineAction::panLeft,
            TimelineAction::panRight, TimelineAction::showAll, TimelineAction::focusSelection,
            TimelineAction::previousView, TimelineAction::nextView};
        if (action && std::find(own.begin(), own.end(), *action) != own.end()) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip && m_job) {
        const auto* const asked = static_cast<QHelpEvent*>(event);
        const HeatPlaces places(m_map, box());
        const auto rank = rankAt(asked->pos().y());
        if (rank && asked->pos().x() >= places.plot().left()) {
            QToolTip::showText(
                asked->globalPos(), m_job->tipOf(m_measure, m_heat, *rank, places.timeAt(asked->pos().x())), this);
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
    setToolTip(accessibleDescription());
    update();
}

void CombView::setTime(Interval time)
{
    m_time = time;
    update();
}

void CombView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_comb && event->button() == Qt::LeftButton) {
        emit zoomWanted({m_comb->teeth.front().at, m_comb->end});
    }
}

void CombView::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const Theme& theme = themeOf(palette());
    painter.fillRect(rect(), theme.background);
    if (m_comb) {
        paintComb(painter, QRectF(rect()).adjusted(14, 0, -8, 0), *m_comb, m_time, theme, m_labels, false);
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
