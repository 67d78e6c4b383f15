// SPDX-License-Identifier: MIT
#include "gui/app/frame/legend_strip.h"

#include "gui/paint/hatch_swatch.h"
#include "gui/paint/over/idle_painter.h"
#include "gui/paint/theme.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/spoken_selection.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr int strip_margin = 12;
constexpr int swatch_width = 14;
constexpr int entry_padding = 6;  // within an entry
constexpr int entry_gap = 4;

void paintLegendSwatch(QPainter& painter, const Theme& theme, ItemRole role, const QRectF& box)
{
    if (const Theme::Hatch* hatch = theme.hatch(role)) {
        paintHatchSwatch(painter, *hatch, box);
        return;
    }
    QPainterPath shape;
    shape.addRoundedRect(box, 3, 3);
    painter.fillPath(shape, theme.item(role));
}

}  // namespace

LegendStrip::LegendStrip(ComparisonView* timeline, QWidget* parent)
    : QWidget(parent)
    , m_timeline(timeline)
{
    setObjectName(QStringLiteral("legendStrip"));
    speakAs(this, QAccessible::ToolBar);
    setAccessibleName(tr("Legend"));
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, &LegendStrip::read);
    const auto later = [this] { m_later.start(); };
    connect(&timeline->pair(), &TimelinePair::alignmentChanged, this, later);  // other recordings as well
    connect(timeline, &ComparisonView::lanesChanged, this, later);
    for (const int side : {0, 1}) {
        connect(&timeline->side(side).layers(), &TimelineLayers::found, this, later);
    }
    connect(&timeline->pair(), &TimelinePair::indexed, this, [this](double fraction) {
        if (fraction >= 1) {
            m_later.start();
        }
    });
}

/// Filtered lanes keep the entries that they had: the way back.
void LegendStrip::read()
{
    std::vector<const LaneModel*> models;
    for (const int side : {0, 1}) {
        if (m_timeline->side(side).model() != nullptr) {
            models.push_back(m_timeline->side(side).model());
        }
    }
    if (models.empty() || models.front()->choice().filter == nullptr || m_items.empty()) {
        m_items = legendOf(models);
        m_current = 0;
    }
    addIdle();
    QStringList words;
    for (const LegendItem& item : m_items) {
        words += item.text;
    }
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    m_current = std::clamp(m_current, 0, std::max(static_cast<int>(m_items.size()) - 1, 0));
    updateGeometry();  // it may need another line
    update();
}

/// The reasons of idle streams where their bars are shown; before the ribbon's.
void LegendStrip::addIdle()
{
    std::erase_if(m_items, [](const LegendItem& item) { return item.idle.has_value(); });
    const auto isKernel
        = [](const LegendItem& item) { return item.role >= ItemRole::kernel && item.role <= ItemRole::memset; };
    if (std::none_of(m_items.begin(), m_items.end(), isKernel)) {
        return;
    }
    std::vector<LegendItem> added;
    for (const IdleReason reason : shownReasons(
             {m_timeline->side(0).state().highlights.idle.get(), m_timeline->side(1).state().highlights.idle.get()})) {
        added.push_back(
            {ItemRole::none, idleWord(reason), tr("Idle stream: %1").arg(idleSentence(reason)), {}, reason});
    }
    const auto ribbon = std::find_if(m_items.begin(), m_items.end(),
        [](const LegendItem& item) { return item.role >= ItemRole::overlap1 && item.role <= ItemRole::overlap3; });
    m_items.insert(ribbon, added.begin(), added.end());
}

QSize LegendStrip::sizeHint() const
{
    return {600, linesHeight()};
}

void LegendStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) {
        updateGeometry();
    }
}

/// Lines stand closer to one another than a single one to what is around it. As many as this width needs: a layout
/// asked for heights by width would make room for those of the least width, too.
int LegendStrip::linesHeight() const
{
    const auto all = places(width());
    const int lines = all.empty() ? 1 : all.back().line + 1;
    return lines == 1 ? fontMetrics().height() + 8 : lines * lineHeight() + 1;
}

int LegendStrip::lineHeight() const
{
    return fontMetrics().height() + 4;
}

/// Closer to one another where not all of them would have room, and then in as many lines as they need.
std::vector<LegendStrip::Place> LegendStrip::places(int width) const
{
    int all = 0;
    for (const LegendItem& item : m_items) {
        all += 2 * entry_padding + swatch_width + 5 + fontMetrics().horizontalAdvance(item.text) + entry_gap;
    }
    const bool close = strip_margin - entry_padding + all - entry_gap > width;
    const int padding = close ? entry_padding / 2 : entry_padding;
    const int left = strip_margin - padding;
    std::vector<Place> places;
    int x = left, line = 0;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const int wide = 2 * padding + swatch_width + 5 + fontMetrics().horizontalAdvance(m_items[i].text);
        if (x + wide > width && x > left) {
            x = left;
            ++line;
        }
        places.push_back({i, padding, line, QRect(x, 0, wide, 0)});
        x += wide + (close ? 0 : entry_gap);
    }
    for (Place& place : places) {
        place.box.setTop(line == 0 ? 1 : place.line * lineHeight());
        place.box.setHeight(line == 0 ? fontMetrics().height() + 5 : lineHeight());
    }
    return places;
}

QRect LegendStrip::boxOf(std::size_t item) const
{
    return places(width()).at(item).box;
}

int LegendStrip::at(QPoint point) const
{
    for (const Place& place : places(width())) {
        if (place.box.contains(point)) {
            return static_cast<int>(place.item);
        }
    }
    return -1;
}

bool LegendStrip::isChosen(const LegendItem& item) const
{
    const LaneModel* model = m_timeline->side(0).model();
    if (item.idle) {
        return m_timeline->side(0).layers().isOn(TimelineLayers::Layer::idle);
    }
    return model != nullptr && model->choice().filter && !item.query.isEmpty()
        && model->choice().filterText() == item.query.toStdString();
}

void LegendStrip::toggle(std::size_t index)
{
    if (index < m_items.size() && m_items[index].idle) {
        m_timeline->perform(TimelineAction::idleReasons);
        return;
    }
    if (index >= m_items.size() || m_items[index].query.isEmpty()) {
        return;
    }
    FilterBar* bar = m_timeline->filterBar();
    if (isChosen(m_items[index])) {
        bar->clear();
    } else {
        bar->ask(m_items[index].query);
    }
}

void LegendStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = m_timeline->side(0).theme();
    painter.fillRect(rect(), palette().color(QPalette::Window));
    painter.fillRect(QRect(0, height() - 1, width(), 1), palette().color(QPalette::Mid));
    for (const auto& [item, padding, line, box] : places(width())) {
        const LegendItem& entry = m_items[item];
        const bool chosen = isChosen(entry);
        if (chosen || (static_cast<int>(item) == m_hovered && (entry.idle || !entry.query.isEmpty()))) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.chip);
            painter.drawRoundedRect(box, 4, 4);
        }
        if (hasFocus() && static_cast<int>(item) == m_current) {
            painter.setPen(theme.accent);
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        }
        const QRectF patch(box.left() + padding, box.center().y() - 5, swatch_width, 11);
        if (entry.idle) {
            paintIdleSwatch(painter, theme, *entry.idle, patch);
        } else {
            paintLegendSwatch(painter, theme, entry.role, patch);
        }
        painter.setPen(chosen ? theme.text : theme.muted);
        painter.drawText(
            box.adjusted(padding + swatch_width + 5, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    }
}

void LegendStrip::mousePressEvent(QMouseEvent* event)
{
    if (const int item = at(event->position().toPoint()); item >= 0 && event->button() == Qt::LeftButton) {
        toggle(static_cast<std::size_t>(item));
    }
}

void LegendStrip::mouseMoveEvent(QMouseEvent* event)
{
    const int item = at(event->position().toPoint());
    if (item != m_hovered) {
        m_hovered = item;
        update();
    }
}

void LegendStrip::leaveEvent(QEvent*)
{
    m_hovered = -1;
    update();
}

void LegendStrip::keyPressEvent(QKeyEvent* event)
{
    const int count = static_cast<int>(m_items.size());
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        m_current = std::clamp(m_current + (event->key() == Qt::Key_Right ? 1 : -1), 0, std::max(count - 1, 0));
        update();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        toggle(static_cast<std::size_t>(m_current));
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void LegendStrip::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void LegendStrip::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

bool LegendStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int item = at(help->pos());
        QString tip;
        if (item >= 0) {
            const LegendItem& entry = m_items[static_cast<std::size_t>(item)];
            tip = entry.idle            ? tr("%1. A click hides these bars").arg(entry.sentence)
                : entry.query.isEmpty() ? entry.sentence
                : isChosen(entry)       ? tr("%1. A click shows everything again").arg(entry.sentence)
                                        : tr("%1. A click shows only these").arg(entry.sentence);
        }
        QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace lanes::gui
