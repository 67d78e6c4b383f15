// SPDX-License-Identifier: MIT
#include "gui/timeline/timeline_pair.h"

#include "gui/lanes/lane_pairs.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanes::gui {

namespace {

constexpr Ns part_around = 10;  // of what shows both iterations: with that much more they are shown alone

std::array<std::unique_ptr<Timeline>, 2> linkedTimelines()
{
    const auto history = std::make_shared<ViewHistory>();
    return {std::make_unique<Timeline>(history), std::make_unique<Timeline>(history)};
}

/// What repeats in a run that was predicted of another and in which nothing is found to repeat, as where graphs take
/// the place of launches: what is before and after it takes what it took.
std::optional<Interval> predictedPart(const ShownRecording& of, const ShownRecording& predicted)
{
    const auto part = steadyPart(of);
    if (!part || predicted.trace->source != Source::predicted) {
        return std::nullopt;
    }
    const Ns end = part->end + wholePart(predicted).end - wholePart(of).end;
    return end > part->start ? std::optional(Interval {part->start, end}) : std::nullopt;
}

}  // namespace

QString TimelinePair::nameOf(const Iterations& iterations)
{
    return iterations[0]->typical && iterations[1]->typical ? tr("typical iterations") : tr("chosen iterations");
}

TimelinePair::TimelinePair(QObject* parent)
    : QObject(parent)
    , m_sides(linkedTimelines())
{
    connectSide(0);
    connectSide(1);
    constexpr int view_rests_ms = 40;
    m_viewRests.setSingleShot(true);
    m_viewRests.setInterval(view_rests_ms);
    connect(&m_viewRests, &QTimer::timeout, this, &TimelinePair::tellScope);
    connect(this, &TimelinePair::timeScaleChanged, this, [this] {
        if (scope().of == Scope::Of::visible) {
            m_viewRests.start();
        }
    });
}

void TimelinePair::connectSide(int index)
{
    Timeline* one = &side(index);
    Timeline* other = &side(1 - index);
    connect(one, &Timeline::timeScaleChanged, this, [this, index] { linkTime(index); });
    connect(one, &Timeline::selectionChanged, this, [this, index, other](ItemRef item) {
        if (item) {
            other->select({});
        }
        emit selectionChanged(index, item);
    });
    connect(one, &Timeline::rangeChanged, this, [this, index, one, other] {
        const auto range = one->state().highlights.range;
        other->setRange(range ? std::optional(m_alignment.across(*range, index)) : std::nullopt);
        takeRange();
        emit rangeChanged();
    });
    connect(one, &Timeline::cleared, other, &Timeline::letGo);
    connect(one, &Timeline::choiceChanged, this, [this, one] { choose(one->state().choice); });
    connect(&one->layers(), &TimelineLayers::switched, this, [this, other](TimelineLayers::Layer layer, bool on) {
        other->layers().set(layer, on);
        emit layerSwitched(layer, on);
    });
    connect(one, &Timeline::arranged, this, [this, index] { arrangeOther(index); });
    connect(&one->marks(), &MarkHand::changed, this, [this, index] { emit marksChanged(index); });
    connect(&one->marks(), &MarkHand::chose, this, [one, other] {
        if (one->marks().chosen()) {
            other->forgetChosen();
        }
    });
    connect(&one->annotations(), &AnnotationHand::chosen, other, &Timeline::forgetChosen);
    connect(&one->lanes(), &ShownLanes::indexingFailed, this, &TimelinePair::indexingFailed);
    connect(&one->lanes(), &ShownLanes::indexed, this, [this, index](double fraction) {
        m_indexed[static_cast<std::size_t>(index)] = fraction;
        emit indexed(std::min(m_indexed[0], m_indexed[1]));
    });
}

void TimelinePair::linkTime(int from)
{
    if (Timeline& other = side(1 - from); other.recording()) {
        other.setTimeScale(m_alignment.across(side(from).timeScale(), from));
    }
    followIterations();
    emit timeScaleChanged(timeScale());
}

void TimelinePair::setIterations(std::optional<Iterations> iterations)
{
    if (iterations != m_iterations) {
        m_iterations = std::move(iterations);
        followIterations();
        tellScope();
        if (areIterationsAligned() && m_alignment.name != nameOf(*m_iterations)) {
            m_alignment.name = nameOf(*m_iterations);  // it was said in another language
            place();
        }
    }
}

bool TimelinePair::areIterationsAligned() const
{
    return m_iterations && recordings().size() > 1 && m_alignment.anchor[0] == (*m_iterations)[0]->span.start
        && m_alignment.anchor[1] == (*m_iterations)[1]->span.start;
}

bool TimelinePair::areIterationsAlone() const
{
    if (!areIterationsAligned()) {
        return false;
    }
    const Interval seen = side(0).visibleRange(), both = rangeOfBoth(*(*m_iterations)[0], *(*m_iterations)[1]);
    const Ns more = (both.end - both.start) / part_around;
    return seen.start >= both.start - more && seen.end <= both.end + more;
}

void TimelinePair::showIterations()
{
    if (m_iterations) {
        const auto& [a, b] = *m_iterations;
        setAlignment({{a->span.start, b->span.start}, nameOf(*m_iterations)}, active());
        side(0).showRange(rangeOfBoth(*a, *b));
        followIterations();
    }
}

void TimelinePair::followIterations()
{
    const bool alone = areIterationsAlone();
    for (std::size_t index = 0; index < 2; ++index) {
        m_sides[index]->setIteration(alone ? (*m_iterations)[index] : nullptr);
    }
}

/// What the user does to a lane is done to its counterpart.
void TimelinePair::arrangeOther(int from)
{
    const Timeline& one = side(from);
    Timeline& other = side(1 - from);
    if (one.model() != nullptr && other.model() != nullptr) {
        other.setArrangement(
            other.state().arrangement.following(one.state().arrangement, lanePairs(*one.model(), *other.model())));
    }
}

std::vector<RecordingPtr> TimelinePair::recordings() const
{
    std::vector<RecordingPtr> all;
    for (const auto& shown : m_sides) {
        if (shown->recording()) {
            all.push_back(shown->recording());
        }
    }
    return all;
}

void TimelinePair::open(const std::vector<RecordingPtr>& recordings, int active, const std::optional<Scope>& scope)
{
    emit leaving(true);
    std::map<RecordingPtr, LaneArrangement> arrangements;  // a recording that changes its place keeps its own
    for (const auto& shown : m_sides) {
        arrangements[shown->recording()] = shown->state().arrangement;
    }
    const std::vector<RecordingPtr> before = this->recordings();
    m_iterations.reset();
    if (!std::is_permutation(recordings.begin(), recordings.end(), before.begin(), before.end())) {
        m_parts.clear();
    }
    if (recordings.size() != 2 || before.size() != 2) {
        m_alignment = {};
        m_reference = 0;
    } else if (recordings[0] == before[1] && recordings[1] == before[0]) {
        m_alignment = m_alignment.swapped();
        m_reference = 1 - m_reference;
        std::reverse(m_parts.begin(), m_parts.end());
    } else if (recordings != before) {
        m_alignment = {};
    }
    for (std::size_t i = 0; i < 2; ++i) {
        m_sides[i]->openRecording(i < recordings.size() ? recordings[i] : nullptr);
        if (const auto kept = arrangements.find(m_sides[i]->recording());
            m_sides[i]->recording() && kept != arrangements.end()) {
            m_sides[i]->setArrangement(kept->second);
        }
    }
    m_active = recordings.size() > 1 && active == 1 ? 1 : 0;
    m_chosenScope = scope ? std::optional(scope->of) : std::nullopt;
    m_scopeBefore = std::nullopt;
    if (m_chosenScope == Scope::Of::selected) {
        const Ranges ranges = rangesOf(scope->ranges[0]);
        for (std::size_t i = 0; i < recordings.size() && i < 2; ++i) {
            m_sides[i]->setRange(ranges[i]);
        }
    }
    takeNew();
    place();
    emit alignmentChanged();
    emit opened();
}

void TimelinePair::renew(const std::vector<RecordingPtr>& recordings)
{
    const std::vector<RecordingPtr> before = this->recordings();
    if (recordings.size() != before.size()) {
        open(recordings);
        return;
    }
    emit leaving(true);
    for (std::size_t side = 0; side < recordings.size(); ++side) {
        if (recordings[side] == before[side]) {
            continue;
        }
        if (recordings[side]->marks->all().empty()) {
            recordings[side]->marks->set(before[side]->marks->all());
        }
        if (recordings[side]->annotations->empty()) {
            *recordings[side]->annotations = *before[side]->annotations;
        }
        m_sides[side]->openRenewed(recordings[side]);
    }
    takeNew();
    place();
    emit renewed();
}

void TimelinePair::choose(const LaneChoice& choice)
{
    emit leaving(false);
    for (const auto& shown : m_sides) {
        shown->choose(choice);
    }
    place();
    emit chosen();
}

void TimelinePair::filter(std::shared_ptr<const Query> filter)
{
    side(0).markup().settle();
    LaneChoice choice = side(0).state().choice;
    choice.filter = std::move(filter);
    choose(choice);
    side(0).markup().note();
}

void TimelinePair::setActive(int side)
{
    if (side != m_active) {
        m_active = side;
        emit activeChanged(side);
    }
}

void TimelinePair::follow(int index, ItemRef item)
{
    setActive(index);
    side(index).follow(item);
}

Ranges TimelinePair::rangesOf(Interval ofA) const
{
    return {ofA, m_alignment.across(ofA, 0)};
}

std::optional<Ranges> TimelinePair::range() const
{
    const auto& range = side(0).state().highlights.range;
    return range ? std::optional(rangesOf(*range)) : std::nullopt;
}

Ranges TimelinePair::visible() const
{
    return rangesOf(side(0).visibleRange());
}

std::optional<Ranges> TimelinePair::ranges(Scope::Of of) const
{
    using Scope::Of::all;
    using Scope::Of::repeated;
    using Scope::Of::selected;
    const std::vector<RecordingPtr> shown = recordings();
    if (shown.empty() || (of == selected && !range())) {
        return std::nullopt;
    }
    Ranges ranges = of == selected ? *range() : of == Scope::Of::visible ? this->visible() : Ranges {};
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const Interval whole = wholePart(*shown[i]);
        if (of == repeated && m_iterations) {
            ranges[i] = (*m_iterations)[i]->span;
        } else if (of == repeated) {
            auto part = steadyPart(*shown[i]);
            if (!part && i == 1) {
                part = predictedPart(*shown[0], *shown[1]);
            }
            if (!part) {
                return std::nullopt;
            }
            ranges[i] = *part;
        } else if (of == all) {
            ranges[i] = wholePart(*shown[i]);
        } else if (of == Scope::Of::visible) {
            ranges[i].start = std::clamp(ranges[i].start, whole.start, whole.end);
            ranges[i].end = std::clamp(ranges[i].end, ranges[i].start, whole.end);
        }
    }
    return ranges;
}

Scope TimelinePair::scope() const
{
    using Scope::Of::all;
    using Scope::Of::repeated;
    const std::vector<RecordingPtr> shown = recordings();
    const bool isStartUp = !shown.empty() && std::all_of(shown.begin(), shown.end(), [](const RecordingPtr& recording) {
        return repeatedPart(*recording).has_value();
    });
    const Scope::Of first = isStartUp || m_iterations ? repeated : all;
    for (const Scope::Of of : {m_chosenScope.value_or(first), first, all}) {
        if (const auto found = ranges(of)) {
            return {of, *found, of == repeated && m_iterations};
        }
    }
    return {};
}

void TimelinePair::chooseScope(std::optional<Scope::Of> of)
{
    m_chosenScope = of;
    tellScope();
}

/// Who selects a range wants to know of it; who clears it goes on where he was.
void TimelinePair::takeRange()
{
    const bool hasRange = range().has_value();
    if (hasRange && m_chosenScope != Scope::Of::selected) {
        m_scopeBefore = m_chosenScope;
        m_chosenScope = Scope::Of::selected;
    } else if (!hasRange && m_chosenScope == Scope::Of::selected) {
        m_chosenScope = std::exchange(m_scopeBefore, std::nullopt);
    }
    tellScope();
}

void TimelinePair::tellScope()
{
    const Scope now = scope();
    drawScope();
    if (now != m_toldScope) {
        m_toldScope = now;
        m_reportsAreOld = true;
        giveReports();
        emit scopeChanged();
    }
}

void TimelinePair::drawScope()
{
    const Scope now = scope();
    for (std::size_t i = 0; i < 2; ++i) {
        m_sides[i]->setScope({now.of, now.ranges[i], now.isIteration});
    }
}

/// The scope of other recordings; what was known of those before is not of these.
void TimelinePair::takeNew()
{
    m_toldScope = scope();
    m_reports = {};
    m_reportsAreOld = true;
    drawScope();
}

/// Those that are known; else the old ones stay until whoever finds them has them.
void TimelinePair::giveReports()
{
    const std::vector<RecordingPtr> shown = recordings();
    const bool areOfIterations = m_toldScope.of == Scope::Of::repeated && m_iterations;
    Reports known;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        known[i] = areOfIterations ? nullptr : knownReport(*shown[i], m_toldScope.of);
    }
    const auto count = static_cast<std::ptrdiff_t>(shown.size());
    if (std::all_of(known.begin(), known.begin() + count, [](const auto& report) { return report != nullptr; })) {
        m_reports = known;
        m_reportsAreOld = false;
    }
    const bool isWide = std::any_of(
        shown.begin(), shown.end(), [](const RecordingPtr& recording) { return recording->wideTotal.has_value(); });
    for (int index = 0; index < 2; ++index) {
        // Parts that are as long as one another, or hold other iterations, are not faster or slower; how much faster a
        // prediction is may be too uncertain to be said.
        const bool isCompared = shown.size() > 1 && m_parts.empty() && index != m_reference && !isWide
            && (areOfIterations || m_toldScope.of == Scope::Of::all);
        const auto i = static_cast<std::size_t>(index);
        side(index).setReports(m_reports[i], isCompared ? m_reports[static_cast<std::size_t>(m_reference)] : nullptr,
            m_reportsAreOld,
            areOfIterations ? ComparedIterations {(*m_iterations)[i], (*m_iterations)[1 - i]} : ComparedIterations {});
    }
}

void TimelinePair::setReports(const Reports& reports)
{
    m_reports = reports;
    m_reportsAreOld = false;
    giveReports();
}

void TimelinePair::place()
{
    const std::vector<RecordingPtr> shown = recordings();
    const bool pair = shown.size() > 1;
    std::array<Ns, 2> drawn {0, 0}, recorded {0, 0};
    for (std::size_t i = 0; i < shown.size(); ++i) {
        drawn[i] = m_sides[i]->model()->drawnEnd();
        recorded[i] = shown[i]->trace->duration;
    }
    const Interval all = m_alignment.spanOf(drawn);
    const Interval reach = m_alignment.spanOf(recorded);
    for (int index = 0; index < 2; ++index) {
        const Ns offset = m_alignment.offsetOf(index);
        TimelinePlace place {
            .extent = {all.start + offset, all.end + offset}, .reach = {reach.start + offset, reach.end + offset}};
        if (pair) {
            place.letter = QChar(u'A' + static_cast<char16_t>(index));
            place.isCompared = m_parts.empty() && index != m_reference;
            place.uncertainty = m_alignment.uncertainty;
        }
        if (static_cast<std::size_t>(index) < m_parts.size()) {
            place.part = m_parts[static_cast<std::size_t>(index)];
        }
        if (pair && !m_alignment.atStarts()) {
            place.anchor = m_alignment.anchor[static_cast<std::size_t>(index)];
        }
        side(index).setPlace(place);
    }
    if (pair) {
        side(1).setTimeScale(m_alignment.across(timeScale(), 0));
    }
    giveReports();
    tellScope();
    emit placed();
}

void TimelinePair::setAlignment(const Alignment& alignment, int kept)
{
    if (alignment == m_alignment || recordings().size() < 2) {
        return;
    }
    m_alignment = alignment;
    followIterations();
    if (const auto range = side(kept).state().highlights.range) {
        side(1 - kept).setRange(m_alignment.across(*range, kept));
        emit rangeChanged();
    }
    place();
    emit alignmentChanged();
    emit timeScaleChanged(timeScale());
}

void TimelinePair::setParts(const std::vector<PartOfRun>& parts)
{
    if (parts != m_parts && parts.size() <= recordings().size()) {
        m_parts = parts;
        place();
    }
}

void TimelinePair::setReference(int side)
{
    if (side != m_reference && recordings().size() > 1) {
        m_reference = side;
        place();
    }
}

TimelinePair::Kept TimelinePair::kept() const
{
    Kept kept {{}, m_alignment, m_reference, m_chosenScope};
    for (std::size_t index = 0; index < recordings().size(); ++index) {
        kept.sides.push_back(side(static_cast<int>(index)).state());
    }
    return kept;
}

void TimelinePair::restore(const Kept& kept)
{
    if (kept.sides.empty() || kept.sides.size() != recordings().size()) {
        return;
    }
    setAlignment(kept.alignment, 0);
    setReference(kept.reference);
    for (std::size_t i = 0; i < kept.sides.size(); ++i) {
        const TimelineState& state = kept.sides[i];
        const int index = static_cast<int>(i);
        side(index).choose(state.choice);
        side(index).setArrangement(state.arrangement);
        side(index).selectRange(state.highlights.range);
        side(index).select(state.highlights.selected);
        side(index).scrollTo(state.scroll);
    }
    const TimeWindow& time = kept.sides.front().time;
    if (time.isFitted()) {
        side(0).showAll();
    } else if (time.columns() == side(0).state().time.columns()) {
        sight(time.scale());  // a range would be rounded up to the next scale each time
    } else {
        side(0).showRange(time.visible());
    }
    chooseScope(kept.scope);
}

void TimelinePair::settle()
{
    for (const auto& shown : m_sides) {
        shown->settle();
    }
    linkTime(0);
}

void TimelinePair::sight(Interval range)
{
    sight(side(0).state().time.showing(range));
}

void TimelinePair::sight(const TimeScale& scale)
{
    side(0).setTimeScale(scale);
    linkTime(0);
}

void TimelinePair::stopIndexing()
{
    for (const auto& shown : m_sides) {
        shown->lanes().stopIndexing();
    }
}

}  // namespace lanes::gui
