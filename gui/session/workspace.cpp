// SPDX-License-Identifier: MIT
#include "gui/session/workspace.h"

#include "gui/session/run_titles.h"
#include "gui/session/scope_reports.h"
#include "gui/timeline/timeline_actions.h"
#include "gui/timeline/timeline_pair.h"

#include <algorithm>
#include <utility>

namespace lanes::gui {

Workspace::Workspace(QObject* parent)
    : QObject(parent)
    , m_pair(std::make_shared<TimelinePair>())
    , m_reports(new ScopeReports(this))
{
    const TimelinePair* pair = m_pair.get();
    connect(pair, &TimelinePair::selectionChanged, this, &Workspace::tellSelection);
    connect(pair, &TimelinePair::rangeChanged, this, &Workspace::selectedRangesChanged);
    connect(pair, &TimelinePair::scopeChanged, this, &Workspace::scopeChanged);
    connect(pair, &TimelinePair::timeScaleChanged, this, &Workspace::tellVisible);
    connect(pair, &TimelinePair::chosen, this, &Workspace::tellFilter);
    connect(pair, &TimelinePair::activeChanged, this, &Workspace::activeChanged);
}

Workspace::~Workspace() = default;

void Workspace::set(std::vector<OpenRecordingPtr> recordings, int active, const std::optional<Scope>& scope)
{
    recordings.resize(std::min<std::size_t>(recordings.size(), 2));
    m_recordings = toldApart(std::move(recordings));
    tellChanged(active, scope);
}

void Workspace::renew(std::vector<OpenRecordingPtr> recordings)
{
    if (recordings.size() != m_recordings.size()) {
        set(std::move(recordings));
    } else if (recordings = toldApart(std::move(recordings)); recordings != m_recordings) {
        m_recordings = std::move(recordings);
        m_pair->renew({m_recordings.begin(), m_recordings.end()});
        emit renewed();
        tellSelection();
        tellVisible();
    }
}

void Workspace::add(OpenRecordingPtr recording)
{
    std::vector<OpenRecordingPtr> recordings = m_recordings;
    recordings.resize(std::min<std::size_t>(recordings.size(), 1));
    recordings.push_back(std::move(recording));
    set(std::move(recordings));
}

void Workspace::close(int side)
{
    if (side >= 0 && side < count()) {
        m_recordings.erase(m_recordings.begin() + side);
        tellChanged();
    }
}

void Workspace::swap()
{
    if (count() == 2) {
        std::swap(m_recordings[0], m_recordings[1]);
        tellChanged();
    }
}

void Workspace::tellChanged(int active, const std::optional<Scope>& scope)
{
    m_toldSelection = {};
    const int before = m_pair->active();
    m_pair->open({m_recordings.begin(), m_recordings.end()}, active, scope);
    emit changed();
    tellVisible();
    if (m_pair->active() != before) {
        emit activeChanged();
    }
}

Workspace::Selection Workspace::selection() const
{
    for (int side = 0; side < count(); ++side) {
        const Timeline& timeline = m_pair->side(side);  // while others are opened it may still be of those before
        if (const ItemRef item = timeline.selection(); item && timeline.recording()) {
            return {side, eventOf(*timeline.recording(), item)};
        }
    }
    return {};
}

void Workspace::tellSelection()
{
    if (const Selection now = selection(); now != m_toldSelection) {
        m_toldSelection = now;
        emit selectionChanged();
    }
}

void Workspace::tellVisible()
{
    if (const Ranges now = visibleRanges(); now != m_toldVisible) {
        m_toldVisible = now;
        emit visibleRangesChanged();
    }
}

void Workspace::tellFilter()
{
    if (filter() != m_toldFilter) {
        m_toldFilter = filter();
        emit filteredChanged();
    }
}

void Workspace::select(int side, EventRef event)
{
    const Selection now = selection();
    if (!event && now.event) {
        m_pair->side(now.side).select({});
    } else if (at(side) && now != Selection {side, event}) {
        m_pair->side(side).select(event);
    }
}

void Workspace::follow(int side, ItemRef item)
{
    m_pair->follow(side, item);
}

void Workspace::jump(int side, ItemRef item)
{
    Timeline& timeline = m_pair->side(side);
    timeline.select(item);
    perform(timeline, TimelineAction::focusSelection);
}

void Workspace::selectRange(int side, std::optional<Interval> range)
{
    m_pair->side(side).selectRange(range);
}

void Workspace::showRange(int side, Interval range)
{
    selectRange(side, range);
    m_pair->side(side).zoomTo(range);
}

bool Workspace::hasRange() const
{
    return m_pair->range().has_value();
}

Ranges Workspace::selectedRanges() const
{
    return m_pair->range().value_or(Ranges {});
}

Ranges Workspace::visibleRanges() const
{
    return m_pair->visible();
}

Scope Workspace::scope() const
{
    return m_pair->scope();
}

void Workspace::chooseScope(Scope::Of of)
{
    m_pair->chooseScope(of);
}

const std::shared_ptr<const Query>& Workspace::filter() const
{
    return m_pair->side(0).state().choice.filter;
}

int Workspace::active() const
{
    return m_pair->active();
}

void Workspace::setActive(int side)
{
    m_pair->setActive(side);
}

void Workspace::setWalk(const Walk& walk)
{
    if (walk != m_walk) {
        m_walk = walk;
        emit walkChanged();
    }
}

}  // namespace lanes::gui
