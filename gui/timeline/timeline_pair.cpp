// SPDX-License-Identifier: MIT
#include "gui/timeline/timeline_pair.h"

#include "gui/lanes/lane_pairs.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanes::gui {

namespace {

std::array<std::unique_ptr<Timeline>, 2> linkedTimelines()
{
    const auto history = std::make_shared<ViewHistory>();
    return {std::make_unique<Timeline>(history), std::make_unique<Timeline>(history)};
}

}  // namespace

TimelinePair::TimelinePair(QObject* parent)
    : QObject(parent)
    , m_sides(linkedTimelines())
{
    connectSide(0);
    connectSide(1);
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
        emit rangeChanged();
    });
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
    emit timeScaleChanged(timeScale());
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

void TimelinePair::open(const std::vector<RecordingPtr>& recordings, int active)
{
    emit leaving(true);
    std::map<RecordingPtr, LaneArrangement> arrangements;  // a recording that changes its place keeps its own
    for (const auto& shown : m_sides) {
        arrangements[shown->recording()] = shown->state().arrangement;
    }
    const std::vector<RecordingPtr> before = this->recordings();
    if (recordings.size() != 2 || before.size() != 2) {
        m_alignment = {};
        m_reference = 0;
    } else if (recordings[0] == before[1] && recordings[1] == before[0]) {
        m_alignment = m_alignment.swapped();
        m_reference = 1 - m_reference;
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
        m_sides[side]->openRenewed(recordings[side]);
    }
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

Scope TimelinePair::scope(std::initializer_list<Scope::Of> wishes) const
{
    using enum Scope::Of;
    for (const Scope::Of wish : wishes) {
        std::optional<Ranges> ranges;
        if (wish == selected) {
            ranges = range();
        } else if (wish == repeated && recordings().size() == 1) {
            const auto part = repeatedPart(*side(0).recording());
            ranges = part ? std::optional(rangesOf(*part)) : std::nullopt;
        } else if (const Interval seen = side(0).visibleRange();
                   wish == visible && (seen.start > extent().start || seen.end < extent().end)) {
            ranges = rangesOf(seen);
        }
        if (ranges) {
            return {wish, *ranges};
        }
    }
    return {};
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
            place.reference = index == m_reference ? nullptr : shown[static_cast<std::size_t>(m_reference)];
        }
        if (pair && !m_alignment.atStarts()) {
            place.anchor = m_alignment.anchor[static_cast<std::size_t>(index)];
        }
        side(index).setPlace(place);
    }
    if (pair) {
        side(1).setTimeScale(m_alignment.across(timeScale(), 0));
    }
    emit placed();
}

void TimelinePair::setAlignment(const Alignment& alignment, int kept)
{
    if (alignment == m_alignment || recordings().size() < 2) {
        return;
    }
    m_alignment = alignment;
    if (const auto range = side(kept).state().highlights.range) {
        side(1 - kept).setRange(m_alignment.across(*range, kept));
        emit rangeChanged();
    }
    place();
    emit alignmentChanged();
    emit timeScaleChanged(timeScale());
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
    Kept kept {{}, m_alignment, m_reference};
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
    time.isFitted() ? side(0).showAll() : side(0).showRange(time.visible());
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
    side(0).setTimeScale(side(0).state().time.showing(range));
    linkTime(0);
}

void TimelinePair::stopIndexing()
{
    for (const auto& shown : m_sides) {
        shown->lanes().stopIndexing();
    }
}

}  // namespace lanes::gui
