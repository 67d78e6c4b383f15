// SPDX-License-Identifier: MIT
#include "gui/app/frame/legend_strip.h"

#include "gui/lanes/family_role.h"
#include "gui/lanes/wait_role.h"
#include "gui/paint/hatch_swatch.h"
#include "gui/paint/over/idle_painter.h"
#include "gui/paint/staged_painter.h"
#include "gui/paint/theme.h"
#include "gui/paint/words/scope_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/spoken_selection.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr int strip_margin = 12;
constexpr int swatch_width = 14;
constexpr int entry_padding = 6;  // within an entry
constexpr int entry_gap = 4;

void paintLegendSwatch(QPainter& painter, const Theme& theme, const LegendItem& item, const QRectF& box)
{
    if (item.staged) {
        paintStagedSwatch(painter, theme, *item.staged, box);
        return;
    }
    if (const Theme::Hatch* hatch = theme.hatch(item.role)) {
        paintHatchSwatch(painter, *hatch, box);
        return;
    }
    QPainterPath shape;
    shape.addRoundedRect(box, 3, 3);
    painter.fillPath(shape, theme.item(item.role));
}

/// As beside the graphs of the GPUs' time, the mean of the GPUs: a sum may be longer than the scope. Nothing while one
/// is not made.
std::optional<Ns> exposedIn(const LaneModel& model, Interval range)
{
    constexpr std::size_t exposed_row = 2;
    Ns sum = 0, gpus = 0;
    for (const Lane& lane : model.lanes()) {
        if (lane.key.kind == LaneKind::gpuTime) {
            if (lane.rows.size() <= exposed_row) {
                return {};
            }
            sum += lane.rows[exposed_row].busyIn(range.start, range.end);
            ++gpus;
        }
    }
    return gpus > 0 ? std::optional(sum / gpus) : std::nullopt;
}

}  // namespace

LegendStrip::LegendStrip(ComparisonView* timeline, Workspace* workspace, QWidget* parent)
    : QWidget(parent)
    , m_timeline(timeline)
    , m_workspace(workspace)
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
    m_sums.whileSeen(this);
    connect(workspace, &Workspace::changed, this, [this] { takeShares({}); });  // what is known is of others
    connect(workspace, &Workspace::scopeChanged, this, &LegendStrip::askShares);
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

void LegendStrip::setLarge(double times)
{
    if (times != m_times) {
        m_times = times;
        updateGeometry();
        update();
    }
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
    if (models.empty() || models.front()->choice().filter == nullptr || m_all.empty()) {
        m_all = legendOf(models);
        m_current = 0;
    }
    addIdle();
    takeShares(m_totals);
    askShares();
}

/// Only where kernels have the colours of their families: of other kinds Statistics has better figures.
void LegendStrip::askShares()
{
    const LaneModel* model = m_timeline->side(0).model();
    if (model == nullptr || !areFamiliesShown(model->trace(), model->choice().colours)) {
        m_sums.cancel();
        takeShares({});
        return;
    }
    const Scope scope = m_workspace->scope();
    std::vector<std::pair<RecordingPtr, Interval>> parts;
    for (int side = 0; side < m_workspace->count(); ++side) {
        const RecordingPtr recording = m_workspace->at(side);
        parts.emplace_back(recording, scope.ranges[static_cast<std::size_t>(side)]);
    }
    m_sums.ask(
        [parts](const std::stop_token& stop) {
            std::vector<RoleTotals> totals;
            for (const auto& [recording, part] : parts) {
                addWaits(totals.emplace_back(roleTotals(*recording->trace, part, stop)), *recording, part);
            }
            return totals;
        },
        [this, says = scopeText(scope, parts.size()), ranges = scope.ranges](const std::vector<RoleTotals>& totals) {
            m_scope = says;
            m_ranges = ranges;
            takeShares(totals);
        },
        [this](const QString&) { takeShares({}); });
}

/// In the entries of one recording; two have theirs in the tip.
void LegendStrip::takeShares(const std::vector<RoleTotals>& totals)
{
    m_totals = totals;
    m_items.clear();
    QStringList words;
    for (LegendItem item : m_all) {
        if (isNothing(item) && !isChosen(item)) {
            continue;
        }
        const auto time = m_totals.size() == 1 ? timeOf(0, item.role) : std::nullopt;
        const bool isGpus = isGpuWork(item.role);
        item.share = isGpus && time ? std::optional(m_totals.front().share(item.role)) : std::nullopt;
        item.time = isGpus ? std::nullopt : time;
        m_items.push_back(std::move(item));
        words += textOf(m_items.size() - 1);
    }
    m_current = std::clamp(m_current, 0, std::max(static_cast<int>(m_items.size()) - 1, 0));
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    update();
}

/// In the scope; nothing where it is not known, or the kind has no time.
std::optional<Ns> LegendStrip::timeOf(std::size_t side, ItemRole role) const
{
    if (side >= m_totals.size()) {
        return {};
    }
    if (isGpuWork(role)) {
        return m_totals[side].all > 0 ? std::optional(m_totals[side][role]) : std::nullopt;
    }
    if (std::find(wait_roles.begin(), wait_roles.end(), role) != wait_roles.end()) {
        return m_totals[side][role];
    }
    const LaneModel* model = m_timeline->side(static_cast<int>(side)).model();
    return role == ItemRole::exposed && model != nullptr ? exposedIn(*model, m_ranges[side]) : std::nullopt;
}

bool LegendStrip::isNothing(const LegendItem& item) const
{
    for (std::size_t side = 0; side < m_totals.size(); ++side) {
        if (timeOf(side, item.staged.value_or(item.role)) != std::optional<Ns>(0)) {
            return false;
        }
    }
    return !m_totals.empty() && !item.idle;
}

QString LegendStrip::textOf(std::size_t item) const
{
    const LegendItem& entry = m_items[item];
    const QString figure = figureOf(entry);
    return figure.isEmpty() ? entry.text : QStringLiteral("%1 %2").arg(entry.text, figure);
}

/// The reasons of idle streams where their bars are shown; before the ribbon's.
void LegendStrip::addIdle()
{
    std::erase_if(m_all, [](const LegendItem& item) { return item.idle.has_value(); });
    if (std::none_of(m_all.begin(), m_all.end(), [](const LegendItem& item) { return isGpuWork(item.role); })) {
        return;
    }
    std::vector<LegendItem> added;
    for (const IdleReason reason : shownReasons(
             {m_timeline->side(0).state().highlights.idle.get(), m_timeline->side(1).state().highlights.idle.get()})) {
        added.push_back(
            {.text = idleWord(reason), .sentence = tr("Idle stream: %1").arg(idleSentence(reason)), .idle = reason});
    }
    const auto ribbon = std::find_if(m_all.begin(), m_all.end(),
        [](const LegendItem& item) { return item.role >= ItemRole::overlap1 && item.role <= ItemRole::overlap3; });
    m_all.insert(ribbon, added.begin(), added.end());
}

QSize LegendStrip::sizeHint() const
{
    return {600, static_cast<int>(std::ceil((fontMetrics().height() + 8) * m_times))};
}

int LegendStrip::needOf(const QString& text, int padding) const
{
    return 2 * padding + swatch_width + 5 + fontMetrics().horizontalAdvance(text);
}

QString LegendStrip::moreText(std::size_t hidden) const
{
    return tr("%1 more").arg(hidden);
}

/// Closer to one another where not all of them would have room.
std::vector<LegendStrip::Place> LegendStrip::places() const
{
    const auto needs = [&](int padding) {
        std::vector<int> all;
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            all.push_back(needOf(textOf(i), padding));
        }
        return all;
    };
    int padding = entry_padding;
    int gap = entry_gap;
    std::vector<int> widths = needs(padding);
    const int more = 2 * entry_padding + fontMetrics().horizontalAdvance(moreText(m_items.size()));
    const auto fitting
        = [&] { return entriesInOneRow(m_items, widths, gap, more, usualWidth() - 2 * (strip_margin - padding)); };
    std::vector<std::size_t> shown = fitting();
    if (shown.size() < m_items.size()) {
        padding = entry_padding / 2;
        gap = 0;
        widths = needs(padding);
        shown = fitting();
    }
    std::vector<Place> places;
    int x = strip_margin - padding;
    const int height = fontMetrics().height() + 5;
    for (const std::size_t i : shown) {
        places.push_back({i, padding, QRect(x, 1, widths[i], height)});
        x += widths[i] + gap;
    }
    if (shown.size() < m_items.size()) {
        places.push_back({m_items.size(), padding, QRect(x, 1, more, height)});
    }
    return places;
}

int LegendStrip::usualWidth() const
{
    return static_cast<int>(width() / m_times);
}

QRect LegendStrip::boxOf(std::size_t item) const
{
    for (const Place& place : places()) {
        if (place.item == item) {
            return QRectF(place.box.topLeft() * m_times, place.box.size() * m_times).toRect();
        }
    }
    return {};
}

int LegendStrip::at(QPoint point) const
{
    for (const Place& place : places()) {
        if (place.box.contains(point / m_times)) {
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
    return model != nullptr && isInFilter(QString::fromStdString(model->choice().filterText()), item.query);
}

void LegendStrip::toggle(std::size_t index, bool add)
{
    if (index < m_items.size() && m_items[index].idle) {
        m_timeline->perform(TimelineAction::idleReasons);
        return;
    }
    const LaneModel* model = m_timeline->side(0).model();
    if (index >= m_items.size() || m_items[index].query.isEmpty() || model == nullptr) {
        return;
    }
    const QString wanted
        = filterAfterClick(QString::fromStdString(model->choice().filterText()), m_items[index].query, add);
    FilterBar* bar = m_timeline->filterBar();
    if (wanted.isEmpty()) {
        bar->clear();
    } else {
        bar->ask(wanted);
    }
}

void LegendStrip::press(std::size_t item, bool add)
{
    if (item == m_items.size()) {
        showMore();
    } else {
        toggle(item, add);
    }
}

void LegendStrip::showMore()
{
    const auto shown = places();
    if (shown.empty() || shown.back().item != m_items.size()) {
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const Theme& theme = m_timeline->side(0).theme();
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (std::any_of(shown.begin(), shown.end(), [i](const Place& place) { return place.item == i; })) {
            continue;
        }
        QPixmap swatch(QSize(swatch_width, swatch_width) * devicePixelRatioF());
        swatch.setDevicePixelRatio(devicePixelRatioF());
        swatch.fill(Qt::transparent);
        QPainter painter(&swatch);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF box(0, 1, swatch_width, 11);
        if (m_items[i].idle) {
            paintIdleSwatch(painter, theme, *m_items[i].idle, box);
        } else {
            paintLegendSwatch(painter, theme, m_items[i], box);
        }
        painter.end();
        QAction* entry = menu->addAction(QIcon(swatch), textOf(i), this, [this, i] { toggle(i); });
        entry->setToolTip(tipOf(i));
        entry->setEnabled(m_items[i].idle || !m_items[i].query.isEmpty());
    }
    menu->popup(mapToGlobal(boxOf(m_items.size()).bottomLeft()));
}

void LegendStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = m_timeline->side(0).theme();
    painter.fillRect(rect(), palette().color(QPalette::Window));
    painter.fillRect(QRect(0, height() - 1, width(), 1), palette().color(QPalette::Mid));
    painter.scale(m_times, m_times);
    const auto all = places();
    for (const auto& [item, padding, box] : all) {
        const bool isMore = item == m_items.size();
        const bool chosen = !isMore && isChosen(m_items[item]);
        const bool acts = isMore || m_items[item].idle || !m_items[item].query.isEmpty();
        if (chosen || (static_cast<int>(item) == m_hovered && acts)) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.chip);
            painter.drawRoundedRect(box, 4, 4);
        }
        if (hasFocus() && static_cast<int>(item) == m_current) {
            painter.setPen(theme.accent);
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        }
        painter.setPen(chosen ? theme.text : theme.muted);
        if (isMore) {
            painter.drawText(box, Qt::AlignCenter, moreText(m_items.size() + 1 - all.size()));
            continue;
        }
        const LegendItem& entry = m_items[item];
        const QRectF patch(box.left() + padding, box.center().y() - 5, swatch_width, 11);
        if (entry.idle) {
            paintIdleSwatch(painter, theme, *entry.idle, patch);
        } else {
            paintLegendSwatch(painter, theme, entry, patch);
        }
        painter.setPen(chosen ? theme.text : theme.muted);
        const QRect words = box.adjusted(padding + swatch_width + 5, 0, 0, 0);
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, entry.text);
        if (const QString figure = figureOf(entry); !figure.isEmpty()) {  // it is what one reads
            painter.setPen(theme.text);
            painter.drawText(words.adjusted(fontMetrics().horizontalAdvance(entry.text + QLatin1Char(' ')), 0, 0, 0),
                Qt::AlignLeft | Qt::AlignVCenter, figure);
        }
    }
}

void LegendStrip::mousePressEvent(QMouseEvent* event)
{
    if (const int item = at(event->position().toPoint()); item >= 0 && event->button() == Qt::LeftButton) {
        press(static_cast<std::size_t>(item), event->modifiers().testFlag(Qt::ShiftModifier));
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
    const auto all = places();
    const auto now = std::find_if(
        all.begin(), all.end(), [this](const Place& place) { return static_cast<int>(place.item) == m_current; });
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (!all.empty()) {
            const auto at = now == all.end() ? 0 : now - all.begin();
            const auto last = static_cast<std::ptrdiff_t>(all.size()) - 1;
            const auto to = std::clamp<std::ptrdiff_t>(at + (event->key() == Qt::Key_Right ? 1 : -1), 0, last);
            m_current = static_cast<int>(all[static_cast<std::size_t>(to)].item);
        }
        update();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        press(static_cast<std::size_t>(m_current), event->modifiers().testFlag(Qt::ShiftModifier));
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

QString LegendStrip::tipOf(std::size_t item) const
{
    if (item == m_items.size()) {
        return tr("What has no room here");
    }
    const LegendItem& entry = m_items[item];
    QStringList tip {entry.idle     ? tr("%1. A click hides these bars").arg(entry.sentence)
            : entry.query.isEmpty() ? entry.sentence
            : isChosen(entry)       ? tr("%1. A click shows everything again").arg(entry.sentence)
                              : tr("%1. A click shows only these, Shift+click these as well").arg(entry.sentence)};
    const auto isKnown = [](const RoleTotals& totals) { return totals.all > 0; };
    if (isGpuWork(entry.role) && std::any_of(m_totals.begin(), m_totals.end(), isKnown)) {
        QStringList shares;
        for (std::size_t side = 0; side < m_totals.size(); ++side) {
            const QString share = QStringLiteral("%1, %2").arg(
                formatShare(m_totals[side].share(entry.role)), formatTime(m_totals[side][entry.role]));
            shares += m_totals.size() == 1 ? share : QStringLiteral("%1: %2").arg(QLatin1Char("AB"[side])).arg(share);
        }
        tip += tr("%1: %2 of the time of all GPU operations").arg(m_scope, shares.join(QStringLiteral("; ")));
    }
    return tip.join(QLatin1Char('\n'));
}

bool LegendStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int item = at(help->pos());
        QToolTip::showText(help->globalPos(), item < 0 ? QString() : tipOf(static_cast<std::size_t>(item)), this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace lanes::gui
