// SPDX-License-Identifier: MIT
#include "gui/timeline/timeline.h"

#include "engine/trace/event.h"
#include "gui/lanes/quiet_lanes.h"
#include "gui/paint/ruler_ticks.h"
#include "gui/paint/words/engine_words.h"
#include "gui/timeline/alignment.h"
#include "gui/timeline/time_moves.h"

#include <algorithm>
#include <utility>

namespace lanes::gui {

namespace {

/// What is in the place of an item in another recording of the same: itself where it is called the same.
ItemRef sameIn(const ShownRecording& other, const ShownRecording& recording, ItemRef item)
{
    const std::size_t rows = item.kind == ItemKind::blocked ? other.blocking->calls.size()
                                                            : size_of(*other.trace, eventOf(recording, item).table);
    return item.row < rows && nameOf(recording, item) == nameOf(other, item) ? item : ItemRef {};
}

}  // namespace

Timeline::Timeline(std::shared_ptr<ViewHistory> history, QObject* parent)
    : QObject(parent)
    , m_layers(m_state)
    , m_target(*this)
    , m_marks(*this, m_state.mark)
    , m_annotations(*this)
    , m_markup(*this)
    , m_history(std::move(history))
    , m_theme(&Theme::named({}))
{
    m_history->add(
        [this] {
            return ViewPlace {timeScale(), m_state.scroll};
        },
        [this](const ViewPlace& place) {
            if (model() != nullptr) {
                TimeWindow time = m_state.time;
                time.put(time.inside(place.scale));
                moveTo(time);
                scrollTo(place.scroll);
            }
        });
    connect(&m_lanes, &ShownLanes::grown, this, &Timeline::relayout);
    connect(&m_layers, &TimelineLayers::changed, this, [this](TimelineLayers::Layer layer) {
        using enum TimelineLayers::Layer;
        emit changed(layer == arrows || layer == chain ? Redraw::overlay : Redraw::picture);
    });
    connect(&m_target, &TargetLane::changed, this, [this] {
        emit changed(Redraw::overlay);
        emit lanesChanged();
    });
    connect(&m_annotations, &AnnotationHand::sketched, this, [this] { emit changed(Redraw::overlay); });
    connect(&m_marks, &MarkHand::changed, this, [this] { emit changed(Redraw::picture); });
    connect(&m_predicting, &PredictHand::changed, this, [this] { emit changed(Redraw::overlay); });
    connect(&m_marks, &MarkHand::chose, this, [this] { emit changed(Redraw::overlay); });
}

void Timeline::openRecording(RecordingPtr recording)
{
    TimelineState state;
    state.choice = m_state.choice;
    state.highlights.allArrows = m_state.highlights.allArrows;
    state.compared = m_state.compared;
    state.pathWanted = m_state.pathWanted;
    state.idleWanted = m_state.idleWanted;
    state.highlights.chains = m_state.highlights.chains;
    state.time.setColumns(m_state.time.columns());
    m_state = state;
    m_history->clear();
    m_target.take({});
    forgetChosen();
    m_predicting.takeBack();
    ShownLanes::free(m_lanes.open(std::move(recording), m_state.choice));
    m_markup.begin();
    const LaneModel* shown = model();
    m_state.time.open(shown != nullptr ? shown->drawnEnd() : 0, shown != nullptr ? shown->trace().duration : 0);
    if (shown != nullptr) {
        m_state.arrangement = withoutQuietLanes(*shown);
    }
    setReports(shown != nullptr ? knownReport(shown->recording(), Scope::Of::all) : nullptr, nullptr, false);
    emit changed(Redraw::lanes);
    relayout();
}

void Timeline::openRenewed(RecordingPtr recording)
{
    m_predicting.takeBack();
    const RecordingPtr old = this->recording();
    if (!old || !recording) {
        openRecording(std::move(recording));
        return;
    }
    ShownLanes::free(m_lanes.open(std::move(recording), m_state.choice));
    const ShownRecording& shown = model()->recording();
    if (shown.marks->all() != old->marks->all() || *shown.annotations != *old->annotations) {
        m_markup.begin();  // a file that is read again may have marks of its own
    }
    TimelineHighlights& over = m_state.highlights;
    over.selected = sameIn(shown, *old, over.selected);
    over.path.reset();
    over.idle.reset();
    m_state.time.renew(model()->drawnEnd(), model()->trace().duration);
    emit changed(Redraw::lanes);
    setArrangement(m_state.arrangement);
    emit lanesChanged();
}

void Timeline::settle()
{
    if (m_state.time.isOfAll()) {
        m_state.time.fit();
        lookAgain();
    }
}

TimelineFrame Timeline::frame() const
{
    FrameGeometry geometry;
    geometry.size = m_area;
    geometry.labelWidth = FrameGeometry::labelWidthFor(m_area.width());
    geometry.handles = true;
    geometry.scroll = m_state.scroll;
    geometry.magnification = m_magnification;
    return {*model(), m_lanes.layout(), *m_theme, timeScale(), geometry, m_ratio, m_letter,
        m_unfinished ? TitleVerdict() : m_verdict, m_state.scope, m_state.highlights.iteration,
        clockUncertainty(model()->trace(), m_state.uncertainty), m_state.part};
}

void Timeline::setUnfinished(bool unfinished)
{
    if (unfinished != m_unfinished) {
        m_unfinished = unfinished;
        emit changed(Redraw::picture);
    }
}

void Timeline::setPlace(const TimelinePlace& place)
{
    m_letter = place.letter;
    m_state.compared = place.isCompared;
    m_state.time.setExtent(place.extent, place.reach);
    m_state.highlights.anchor = place.anchor;
    m_state.uncertainty = place.uncertainty;
    const bool wasPart = m_state.part.has_value();
    m_state.part = place.part;
    wasPart ? relayout() : lookAgain();
}

void Timeline::setScope(const DrawnScope& scope)
{
    m_state.scope = scope;
    emit changed(Redraw::overlay);
}

void Timeline::setReports(const std::shared_ptr<const Report>& own, const std::shared_ptr<const Report>& reference,
    bool isOld, const ComparedIterations& iterations)
{
    m_verdict = !own ? TitleVerdict()
                     : TitleVerdict::of(*own, reference.get(), QString::fromStdString(windowLanguage()),
                         m_letter == QLatin1String("B") ? u'A' : u'B', iterations);
    m_verdict.isOld = isOld;
    emit changed(Redraw::picture);
}

void Timeline::setTheme(const Theme& theme)
{
    m_theme = &theme;
    emit changed(Redraw::picture);
}

void Timeline::setArea(QSize size, double ratio, double magnification)
{
    const bool sharper = ratio != m_ratio;
    if (!sharper && size == m_area) {
        return;
    }
    m_area = size;
    m_ratio = ratio;
    m_magnification = magnification;
    TimeWindow& time = m_state.time;
    const Interval shown = time.visible();
    time.setColumns(std::max(static_cast<int>((size.width() - FrameGeometry::labelWidthFor(size.width())) * ratio), 1));
    if (sharper && !time.isFitted()) {
        time.show(time.showing(shown));
    }
    relayout();
}

void Timeline::relayout()
{
    const int available = m_area.height() - FrameGeometry::title_height - FrameGeometry::ruler_height;
    m_lanes.layOut(m_state, available);
    m_lanes.lookAt(m_state.time.visible());
    m_state.scroll = std::clamp(m_state.scroll, 0, std::max(0, m_lanes.layout().height() - available));
    emit changed(Redraw::layout);
}

void Timeline::setTimeScale(const TimeScale& scale)
{
    m_state.time.put(scale);
    lookAgain();
}

void Timeline::lookAgain()
{
    if (m_state.part) {  // other streams may have something in sight
        relayout();
        return;
    }
    m_lanes.lookAt(m_state.time.visible());
    emit changed(Redraw::picture);
}

void Timeline::setRange(std::optional<Interval> range)
{
    m_state.highlights.range = range;
    emit changed(Redraw::overlay);
}

void Timeline::setIteration(std::shared_ptr<const ShownIteration> iteration)
{
    if (iteration != m_state.highlights.iteration) {
        m_state.highlights.iteration = std::move(iteration);
        relayout();
    }
}

void Timeline::setArrangement(const LaneArrangement& arrangement)
{
    m_state.arrangement = arrangement;
    relayout();
}

void Timeline::moveTo(const TimeWindow& time)
{
    const bool same = time.scale() == timeScale();
    m_state.time = time;
    if (!same) {
        lookAgain();
        emit timeScaleChanged(timeScale());
    }
}

void Timeline::show(const TimeScale& scale)
{
    TimeWindow time = m_state.time;
    time.show(scale);
    if (time.scale() != timeScale()) {
        m_history->remember();
        moveTo(time);
    }
}

void Timeline::zoomTo(Interval span)
{
    showRange(withMargins(span));
}

void Timeline::showAll()
{
    TimeWindow time = m_state.time;
    time.fit();
    if (time.scale() != timeScale()) {
        m_history->remember();
    }
    moveTo(time);
}

void Timeline::bringIntoSight(Interval span)
{
    if (const auto scale = m_state.time.bringing(span)) {
        show(*scale);
    }
}

void Timeline::select(ItemRef item)
{
    TimelineHighlights& over = m_state.highlights;
    if (item == over.selected) {
        return;
    }
    over.selected = item;
    if (const auto& wish = m_predicting.wish(); wish && wish->item && wish->item != item) {
        m_predicting.takeBack();
    }
    if (const auto shown = model() != nullptr ? m_lanes.layout().find(*model(), item) : std::nullopt) {
        scrollTo(*shown->lane);
    }
    emit changed(Redraw::overlay);
    emit selectionChanged(item);
}

void Timeline::pick(ItemRef item)
{
    select(item);
    if (item) {
        emit picked();
    }
}

void Timeline::follow(ItemRef item)
{
    if (item && model() != nullptr) {
        select(item);
        bringIntoSight(spanOf(model()->recording(), item));
    }
}

void Timeline::selectRange(std::optional<Interval> range)
{
    if (range != m_state.highlights.range) {
        setRange(range);
        emit rangeChanged();
    }
}

void Timeline::removeChosen()
{
    if (const auto annotation = m_annotations.current()) {
        m_annotations.remove(*annotation);
    } else {
        m_marks.remove();
    }
}

void Timeline::forgetChosen()
{
    m_annotations.forget();
    m_marks.forget();
}

void Timeline::letGo()
{
    m_target.take({});
    forgetChosen();
    selectRange({});
    select({});
}

void Timeline::clear()
{
    letGo();
    emit cleared();
}

void Timeline::choose(const LaneChoice& choice)
{
    if (choice == m_state.choice) {
        return;
    }
    m_state.choice = choice;
    if (model() == nullptr) {
        return;
    }
    auto old = m_lanes.open(recording(), choice);
    emit changed(Redraw::lanes);
    setArrangement(m_state.arrangement);
    emit lanesChanged();
    emit choiceChanged();  // those that refer to the old lanes take the new ones now
    ShownLanes::free(std::move(old));
}

void Timeline::arrange(const LaneArrangement& arrangement)
{
    m_markup.settle();
    setArrangement(arrangement);
    m_markup.note();
    emit lanesChanged();
    emit arranged();
}

void Timeline::scrollTo(int scroll)
{
    const int available = m_area.height() - FrameGeometry::title_height - FrameGeometry::ruler_height;
    const int clamped = std::clamp(scroll, 0, std::max(0, m_lanes.layout().height() - available));
    if (clamped != m_state.scroll) {
        m_state.scroll = clamped;
        emit changed(Redraw::picture);
    }
}

void Timeline::scrollTo(const PlacedLane& lane)
{
    const int sticky = m_lanes.layout().stickyHeight();
    const int available = m_area.height() - FrameGeometry::title_height - FrameGeometry::ruler_height;
    const int bottom = lane.y + lane.height;
    if (bottom <= sticky) {
        return;
    }
    if (lane.y < m_state.scroll + sticky) {
        m_history->remember();
        scrollTo(lane.y - sticky);
    } else if (bottom > m_state.scroll + available) {
        m_history->remember();
        scrollTo(std::min(bottom - available, lane.y - sticky));  // of a high lane its top
    }
}

}  // namespace lanes::gui
