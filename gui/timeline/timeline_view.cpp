// SPDX-License-Identifier: MIT
#include "gui/timeline/timeline_view.h"

#include "gui/paint/item_text.h"
#include "gui/paint/range_figures.h"
#include "gui/paint/time_format.h"
#include "gui/paint/utf8_text.h"
#include "gui/timeline/freed_elsewhere.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <utility>

namespace lanes::gui {

namespace {

constexpr double room_behind = 1.06;  // "everything" leaves this much for the total's label
constexpr int margin_share = 20;      // a view that is zoomed in may show this part of its width beside everything

}  // namespace

TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent)
    , m_theme(&Theme::named({}))
{
    shareHistory(std::make_shared<ViewHistory>());
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void TimelineView::setRecording(RecordingPtr recording)
{
    const bool arrows = m_overlay.allArrows;
    m_overlay = {};
    m_overlay.allArrows = arrows;
    m_hits.setHits({});
    m_history->clear();
    m_mark.reset();
    m_scroll = 0;
    m_arrangement.reset();
    takeInHand({});
    stopIndexing();
    freeLater(std::exchange(m_model, nullptr));
    m_model = recording ? std::make_shared<LaneModel>(std::move(recording), LaneModel::Rows::laterIfMany, m_choice) : nullptr;
    m_extent = {0, std::max<Ns>(m_model ? m_model->duration() : 0, 1)};
    m_reach = {0, m_model ? m_model->trace().duration : 0};
    setAccessibleDescription(m_model ? text(m_model->recording().title) : QString());
    updateVerdict();
    relayout();
    updateGeometry();
    fit(false);
    if (m_model && !m_model->isReady()) {
        startIndexing();
    }
}

void TimelineView::setTheme(const Theme& theme)
{
    m_theme = &theme;
    spoil();
}

void TimelineView::setPlace(const QString& letter, const RecordingPtr& reference)
{
    m_letter = letter;
    m_reference = reference;
    updateVerdict();
    spoil();
}

void TimelineView::setExtent(TimeSpan extent, TimeSpan reach)
{
    m_extent = {std::min<Ns>(extent.start, 0), std::max<Ns>({extent.end, m_model ? m_model->duration() : 0, 1})};
    m_reach = {std::min<Ns>(reach.start, 0), std::max<Ns>(reach.end, m_model ? m_model->trace().duration : 0)};
    if (!m_fitted) {
        applyScale(m_scale, false);
    } else if (m_renewed) {
        fitRenewed();
    } else {
        fit(false);
    }
}

TimeSpan TimelineView::fittingExtent() const
{
    const auto length = static_cast<double>(m_extent.end - m_extent.start);
    return {m_extent.start, m_extent.start + static_cast<Ns>(length * room_behind) + 1};
}

void TimelineView::updateVerdict()
{
    m_verdict = {};
    if (m_model && m_model->recording().report) {
        m_verdict = TitleVerdict::of(*m_model->recording().report, m_reference ? m_reference->report.get() : nullptr, locale().name(), m_letter == QLatin1String("B") ? u'A' : u'B');
    }
}

int TimelineView::columns() const
{
    return std::max(static_cast<int>((area().width() - labelWidth()) * ratio()), 1);
}

TimelineFrame TimelineView::frame() const
{
    FrameGeometry geometry;
    geometry.size = area();
    geometry.labelWidth = labelWidth();
    geometry.handles = true;
    geometry.scroll = m_scroll;
    return {*m_model, m_layout, *m_theme, m_scale, geometry, ratio(), m_letter, m_verdict};
}

void TimelineView::relayout()
{
    m_hits.forgetRows();
    if (m_model) {
        const int available = area().height() - FrameGeometry::title_height - FrameGeometry::ruler_height;
        m_layout = LaneLayout(m_model->lanes(), m_arrangement.arrange(m_model->lanes()), available);
        m_scroll = std::clamp(m_scroll, 0, std::max(0, m_layout.height() - available));
    }
    spoil();
}

void TimelineView::spoil()
{
    m_stale = true;
    update();
}

void TimelineView::setScroll(int scroll)
{
    const int available = area().height() - FrameGeometry::title_height - FrameGeometry::ruler_height;
    const int clamped = std::clamp(scroll, 0, std::max(0, m_layout.height() - available));
    if (clamped != m_scroll) {
        m_scroll = clamped;
        spoil();
    }
}

QSize TimelineView::sizeHint() const
{
    const int lanes = m_model ? LaneLayout::heightOf(m_model->lanes(), m_arrangement.arrange(m_model->lanes()), 1.15) : 120;
    return {900, FrameGeometry::title_height + FrameGeometry::ruler_height + lanes};
}

QSize TimelineView::minimumSizeHint() const
{
    return {360, FrameGeometry::title_height + FrameGeometry::ruler_height + 60};
}

/// What a view may show: everything with its label, and what was recorded behind the run's end.
TimeSpan TimelineView::room() const
{
    const TimeSpan all = fittingExtent();
    return {std::min(all.start, m_reach.start), std::max(all.end, m_reach.end)};
}

/// The scale, moved to where no more than a small margin is seen beside what there is to show.
TimeScale TimelineView::inside(const TimeScale& scale) const
{
    const TimeSpan all = room();
    const std::int64_t first = scale.columnOf(all.start);
    const std::int64_t last = scale.columnOf(all.end - 1) - columns() + 1;
    if (last <= first + 1) {
        return scale.startingAt(first);
    }
    const int margin = columns() / margin_share;
    return scale.startingAt(std::clamp(scale.first(), first - margin, last + margin));
}

/// `keep`: the view before can be gone back to. Never wider than all there is to show, unless the view was so before its
/// recording was renewed.
void TimelineView::applyScale(TimeScale scale, bool keep)
{
    const TimeScale widest = TimeScale::fitting(room().end - room().start, columns());
    const bool wider = m_renewed && m_scale.nsPerColumn() > widest.nsPerColumn();
    if (const TimeScale& most = wider ? m_scale : widest; scale.nsPerColumn() > most.nsPerColumn()) {
        scale = most;
    }
    showScale(inside(scale), keep);
}

void TimelineView::showScale(const TimeScale& scale, bool keep)
{
    if (scale == m_scale) {
        return;
    }
    if (keep) {
        m_history->remember();
    }
    m_scale = scale;
    m_fitted = false;
    spoil();
    emit timeScaleChanged(m_scale);
}

TimeScale TimelineView::fittingScale() const
{
    const TimeSpan all = fittingExtent();
    const TimeScale scale = TimeScale::fitting(all.end - all.start, columns());
    return scale.startingAt(scale.columnOf(all.start));
}

void TimelineView::fit(bool keep)
{
    showScale(fittingScale(), keep);
    m_fitted = true;
    m_renewed = false;
}

void TimelineView::shareHistory(std::shared_ptr<ViewHistory> history)
{
    m_history = std::move(history);
    m_history->add([this] { return ViewPlace{m_scale, m_scroll}; },
        [this](const ViewPlace& place) {
            if (m_model) {
                showScale(inside(place.scale), false);
                setScroll(place.scroll);
            }
        });
}

void TimelineView::setTimeScale(const TimeScale& scale)
{
    if (scale != m_scale) {
        m_history->remember();
        m_scale = scale;
        const TimeScale all = fittingScale();  // a view aligned with this one may round to the next column
        m_fitted = std::llabs(scale.first() - all.first()) <= 1 && scale.startingAt(0) == all.startingAt(0);
        spoil();
        emit timeScaleChanged(m_scale);
    }
}

void TimelineView::panTo(std::int64_t first)
{
    applyScale(m_scale.startingAt(first), true);
}

ViewState TimelineView::state() const
{
    ViewState state{m_model && m_model->isReady() ? m_model : nullptr, m_arrangement, m_overlay, m_hits.hits(), area().height(), m_scroll, m_reference != nullptr};
    state.overlay.hovered = {};
    state.overlay.cursor.reset();
    state.overlay.step.reset();
    state.overlay.zoomBox.reset();
    state.overlay.lane.reset();
    state.overlay.dropLine.reset();
    state.overlay.tip.clear();
    return state;
}

TimeSpan TimelineView::visibleRange() const
{
    return {m_scale.timeAt(0), m_scale.timeAt(columns())};
}

void TimelineView::showRange(TimeSpan range)
{
    applyScale(TimeScale::showing(range.start, std::max(range.end, range.start + 1), columns()), true);
}

void TimelineView::setSelection(ItemRef item)
{
    if (item == m_overlay.selected) {
        return;
    }
    m_overlay.selected = item;
    m_overlay.links = item && m_model ? linksOf(m_model->recording(), item, most_links) : std::vector<Link>();
    if (item) {
        scrollTo(item);
    }
    update();
    emit selectionChanged(item);
}

void TimelineView::setHits(std::shared_ptr<const QueryHits> hits)
{
    if (hits != m_hits.hits()) {
        m_hits.setHits(std::move(hits));
        spoil();
    }
}

void TimelineView::setSelectedRange(std::optional<TimeSpan> range)
{
    if (range == m_overlay.range) {
        return;
    }
    m_overlay.range = range;
    m_overlay.rangeLines = range && m_model ? linesOf(figuresOf(m_model->recording(), *range)) : QStringList();
    update();
    emit rangeChanged();
}

void TimelineView::setCursorTime(qint64 time)
{
    const std::optional<Ns> cursor = time == no_time ? std::optional<Ns>() : time;
    if (cursor != m_overlay.cursor) {
        updatePassing();
        m_overlay.cursor = cursor;
        updatePassing();
    }
}

void TimelineView::setAnchor(qint64 time)
{
    m_overlay.anchor = time == no_time ? std::optional<Ns>() : time;
    update();
}

void TimelineView::setStepTime(qint64 time)
{
    const std::optional<Ns> step = time == no_time ? std::optional<Ns>() : time;
    if (step != m_overlay.step) {
        m_overlay.step = step;
        update();
    }
}

void TimelineView::setMagnification(double magnification)
{
    if (magnification != m_magnification) {
        const TimeSpan shown = visibleRange();
        m_magnification = magnification;
        relayout();
        m_fitted ? fit(false) : applyScale(TimeScale::showing(shown.start, std::max(shown.end, shown.start + 1), columns()), false);
    }
}

std::optional<QRectF> TimelineView::boxOf(ItemRef item) const
{
    return m_model ? lanes::gui::boxOf(frame(), item) : std::nullopt;
}

void TimelineView::resizeEvent(QResizeEvent*)
{
    relayout();
    if (m_fitted) {
        fit(false);
    } else {
        applyScale(m_scale, false);
    }
}

void TimelineView::perform(TimelineAction action)
{
    const double centre = m_mouse.x() >= labelWidth() ? m_mouse.x() : (labelWidth() + area().width()) / 2.0;
    switch (action) {
    case TimelineAction::zoomIn:
        zoomAt(1.4, centre);
        break;
    case TimelineAction::zoomOut:
        zoomAt(1 / 1.4, centre);
        break;
    case TimelineAction::panLeft:
        panBy(-0.15);
        break;
    case TimelineAction::panRight:
        panBy(0.15);
        break;
    case TimelineAction::scrollUp:
        setScroll(m_scroll - 40);
        break;
    case TimelineAction::scrollDown:
        setScroll(m_scroll + 40);
        break;
    case TimelineAction::showAll:
        fit(true);
        break;
    case TimelineAction::focusSelection:
        if (m_model && m_overlay.selected) {
            const TimeSpan span = spanOf(m_model->recording(), m_overlay.selected);
            const double middle = (m_scale.xOf(span.start) + m_scale.xOf(span.end)) / 2;
            const auto by = static_cast<std::int64_t>(std::llround(middle - columns() / 2.0));
            if (std::llabs(inside(m_scale.panned(by)).first() - m_scale.first()) > 1) {
                panTo(m_scale.first() + by);
                scrollTo(m_overlay.selected);
            } else {
                const Ns margin = std::max<Ns>((span.end - span.start) / 3, 2);
                showRange({span.start - margin, span.end + margin});
            }
        } else if (m_overlay.range) {
            showRange(*m_overlay.range);
        }
        break;
    case TimelineAction::zoomToRange:
        if (m_overlay.range) {
            showRange(*m_overlay.range);
        }
        break;
    case TimelineAction::previousView:
        m_history->back();
        break;
    case TimelineAction::nextView:
        m_history->forward();
        break;
    case TimelineAction::setMark:
        setMark();
        break;
    case TimelineAction::nextMark:
        stepMark(1);
        break;
    case TimelineAction::previousMark:
        stepMark(-1);
        break;
    case TimelineAction::removeMark:
        removeMark();
        break;
    case TimelineAction::nextItem:
        step(1);
        break;
    case TimelineAction::previousItem:
        step(-1);
        break;
    case TimelineAction::goToCause:
        follow(m_model ? causeOf(m_model->recording(), m_overlay.selected) : ItemRef{});
        break;
    case TimelineAction::goToEffect:
        follow(m_model ? effectOf(m_model->recording(), m_overlay.selected) : ItemRef{});
        break;
    case TimelineAction::allArrows:
        m_overlay.allArrows = !m_overlay.allArrows;
        update();
        break;
    case TimelineAction::rangeEndLater:
        stepRange(true, 1);
        break;
    case TimelineAction::rangeEndEarlier:
        stepRange(true, -1);
        break;
    case TimelineAction::rangeStartLater:
        stepRange(false, 1);
        break;
    case TimelineAction::rangeStartEarlier:
        stepRange(false, -1);
        break;
    case TimelineAction::clear:
        letLaneGo();
        setSelectedRange({});
        setSelection({});
        break;
    default:
        performOnLanes(action);
        break;
    }
}

void TimelineView::zoomAt(double factor, double x)
{
    applyScale(m_scale.zoomed(factor, (x - labelWidth()) * ratio()), true);
}

void TimelineView::panBy(double share)
{
    applyScale(m_scale.panned(static_cast<std::int64_t>(std::lround(share * columns()))), true);
}

void TimelineView::scrollTo(ItemRef item)
{
    const auto place = m_model ? m_model->find(item) : std::nullopt;
    if (const auto shown = place ? m_layout.find(place->lane, place->row) : std::nullopt) {
        scrollTo(*shown->lane);
    }
}

void TimelineView::scrollTo(const PlacedLane& lane)
{
    const int available = area().height() - FrameGeometry::title_height - FrameGeometry::ruler_height;
    if (lane.y + lane.height <= m_layout.stickyHeight()) {
        return;
    }
    if (lane.y < m_scroll + m_layout.stickyHeight() || lane.y + lane.height > m_scroll + available) {
        m_history->remember();
    }
    if (lane.y < m_scroll + m_layout.stickyHeight()) {
        setScroll(lane.y - m_layout.stickyHeight());
    } else if (lane.y + lane.height > m_scroll + available) {
        setScroll(lane.y + lane.height - available);
    }
}

void TimelineView::step(int by)
{
    const auto place = m_model ? m_model->find(m_overlay.selected) : std::nullopt;
    if (!place) {
        return;
    }
    const LaneRow& row = m_model->lanes()[place->lane].rows[place->row];
    const auto next = static_cast<std::ptrdiff_t>(place->item) + by;
    if (next >= 0 && next < static_cast<std::ptrdiff_t>(row.items.size())) {
        follow(row.itemAt(static_cast<std::size_t>(next)));
    }
}

void TimelineView::follow(ItemRef item)
{
    if (!item || !m_model) {
        return;
    }
    setSelection(item);
    bringIntoSight(spanOf(m_model->recording(), item));
}

/// Pans so that `span` is in the middle, where a part of it is out of sight; where it is longer than the view, only if all
/// of it is.
void TimelineView::bringIntoSight(TimeSpan span)
{
    const TimeSpan visible = visibleRange();
    const bool whole = span.start >= visible.start && span.end <= visible.end;
    const bool part = span.end >= visible.start && span.start <= visible.end;
    if (whole || (part && span.end - span.start > visible.end - visible.start)) {
        return;
    }
    const double middle = (m_scale.xOf(span.start) + m_scale.xOf(span.end)) / 2;
    panTo(m_scale.first() + static_cast<std::int64_t>(middle - columns() / 2.0));
}

}  // namespace lanes::gui
