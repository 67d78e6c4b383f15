// SPDX-License-Identifier: MIT
// Other recordings of the same in the place of those that are shown, and the same recordings in another window: what
// the user looks at stays.
#include "gui/timeline/comparison_view.h"

namespace lanes::gui {

void ComparisonView::renewRecordings(const std::vector<RecordingPtr>& recordings)
{
    const std::vector<RecordingPtr> before = this->recordings();
    if (recordings.size() != before.size()) {
        setRecordings(recordings);
        return;
    }
    m_overview->setModels({}, {});
    m_overview->setHits({});
    for (std::size_t side = 0; side < recordings.size(); ++side) {
        if (recordings[side] == before[side]) {
            continue;
        }
        if (recordings[side]->marks->all().empty()) {
            recordings[side]->marks->set(before[side]->marks->all());
        }
        m_views[side]->setHits({});
        m_sides[side]->openRenewed(recordings[side]);
    }
    m_hits->search()->setRecordings(recordings);
    placeViews();
}

void ComparisonView::continueFrom(const ComparisonView& other)
{
    const auto count = static_cast<int>(recordings().size());
    if (count != static_cast<int>(other.recordings().size())) {
        return;
    }
    setAlignment(other.alignment());
    setReference(other.reference());
    for (int index = 0; index < count; ++index) {
        const TimelineState& state = other.side(index).state();
        side(index).choose(state.choice);
        side(index).setArrangement(state.arrangement);
        side(index).selectRange(state.highlights.range);
        side(index).select(state.highlights.selected);
        side(index).scrollTo(state.scroll);
    }
    if (count > 0 && !other.side(0).state().time.isFitted()) {
        side(0).showRange(other.side(0).visibleRange());
    } else if (count > 0) {
        side(0).showAll();
    }
}

void ComparisonView::settle()
{
    for (const auto& shown : m_sides) {
        shown->settle();
    }
    link(0);
}

void ComparisonView::sight(Interval range)
{
    side(0).setTimeScale(side(0).state().time.showing(range));
    link(0);
}

}  // namespace lanes::gui
