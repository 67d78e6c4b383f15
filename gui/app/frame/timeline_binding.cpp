// SPDX-License-Identifier: MIT
#include "gui/app/frame/timeline_binding.h"

#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"

namespace lanes::gui {

namespace {

/// A range of A's time in the time of each recording.
Workspace::Ranges rangesOf(const ComparisonView& timeline, Interval ofA)
{
    const Interval ofB = timeline.pair().alignment().across(ofA, 0);
    return {Interval {ofA.start, ofA.end}, Interval {ofB.start, ofB.end}};
}

}  // namespace

TimelineBinding::TimelineBinding(Workspace* workspace, ComparisonView* timeline)
    : QObject(timeline)
    , m_workspace(workspace)
    , m_timeline(timeline)
{
    connect(workspace, &Workspace::changed, this, [this] {
        const std::vector<OpenRecordingPtr>& recordings = m_workspace->recordings();
        m_timeline->setRecordings({recordings.begin(), recordings.end()}, m_workspace->active());
        m_workspace->setActive(m_timeline->activeIndex());
        takeVisibleRange();
    });
    connect(workspace, &Workspace::renewed, this, [this] {
        const std::vector<OpenRecordingPtr>& recordings = m_workspace->recordings();
        m_timeline->renewRecordings({recordings.begin(), recordings.end()});
        takeSelection(m_workspace->selection().side);
        takeSelectedRange();
        takeVisibleRange();
    });
    connect(workspace, &Workspace::selectionChanged, this, &TimelineBinding::showSelection);
    connect(workspace, &Workspace::followWanted, timeline, &ComparisonView::follow);
    connect(workspace, &Workspace::jumpWanted, this, [this](int side, ItemRef item) {
        m_timeline->select(side, item);
        m_timeline->view(side)->perform(TimelineAction::focusSelection);
    });
    connect(workspace, &Workspace::rangeShowWanted, this, [this](int side, Interval range) {
        m_timeline->side(side).selectRange(range);
        m_timeline->side(side).zoomTo(range);
    });
    connect(&timeline->pair(), &TimelinePair::selectionChanged, this, &TimelineBinding::takeSelection);
    connect(&timeline->pair(), &TimelinePair::rangeChanged, this, &TimelineBinding::takeSelectedRange);
    connect(&timeline->pair(), &TimelinePair::alignmentChanged, this, &TimelineBinding::takeSelectedRange);
    connect(&timeline->pair(), &TimelinePair::timeScaleChanged, this, &TimelineBinding::takeVisibleRange);
    connect(timeline, &ComparisonView::lanesChanged, this,
        [this] { m_workspace->setFilter(m_timeline->side(0).state().choice.filter); });
    HitWalk* hits = timeline->hits();
    connect(workspace, &Workspace::marksWanted, this, [this, hits](const AskedHits& asked) {
        hits->ask(asked);
        if (asked.sight) {
            Timeline& side = m_timeline->side(asked.sight->first);
            const Interval wanted = asked.sight->second;
            const Interval seen = side.visibleRange();
            if (wanted.start < seen.start || wanted.end > seen.end) {
                const Ns margin = (wanted.end - wanted.start) / 20;
                side.showRange({wanted.start - margin, wanted.end + margin});
            }
        }
    });
    connect(workspace, &Workspace::stepWanted, hits, &HitWalk::step);
    connect(hits, &HitWalk::changed, workspace, [workspace, hits] {
        workspace->setWalk({hits->search()->asked(), hits->search()->count(), hits->current()});
    });
    connect(timeline, &ComparisonView::activeChanged, workspace, &Workspace::setActive);
}

/// The event that the selected item belongs to: of a blocked stretch its call.
void TimelineBinding::takeSelection(int side)
{
    const OpenRecordingPtr recording = m_workspace->at(side);
    const ItemRef item = m_timeline->side(side).selection();
    m_workspace->select(side, recording && item ? eventOf(*recording, item) : EventRef {});
}

void TimelineBinding::takeSelectedRange()
{
    const auto range = m_timeline->side(0).state().highlights.range;
    m_workspace->setSelectedRanges(range ? std::optional(rangesOf(*m_timeline, *range)) : std::nullopt);
}

void TimelineBinding::takeVisibleRange()
{
    m_workspace->setVisibleRanges(rangesOf(*m_timeline, m_timeline->side(0).visibleRange()));
}

void TimelineBinding::showSelection()
{
    const auto [side, event] = m_workspace->selection();
    const OpenRecordingPtr recording = m_workspace->at(side);
    const ItemRef shown = m_timeline->side(side).selection();
    if (recording && (shown ? eventOf(*recording, shown) : EventRef {}) != event) {
        m_timeline->select(side, event);
    }
}

}  // namespace lanes::gui
