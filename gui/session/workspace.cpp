// SPDX-License-Identifier: MIT
#include "gui/session/workspace.h"

#include "gui/session/run_titles.h"

#include <utility>

namespace lanes::gui {

void Workspace::set(std::vector<OpenRecordingPtr> recordings, int active)
{
    recordings.resize(std::min<std::size_t>(recordings.size(), 2));
    m_recordings = toldApart(std::move(recordings));
    tellChanged(active);
}

void Workspace::renew(std::vector<OpenRecordingPtr> recordings)
{
    if (recordings.size() != m_recordings.size()) {
        set(std::move(recordings));
    } else if (recordings = toldApart(std::move(recordings)); recordings != m_recordings) {
        m_recordings = std::move(recordings);
        emit renewed();
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

void Workspace::tellChanged(int active)
{
    m_selection = {};
    m_range.reset();
    const bool isOther = active != m_active;
    m_active = active;
    emit changed();
    if (isOther) {
        emit activeChanged();
    }
}

void Workspace::select(int side, EventRef event)
{
    if (const Selection wanted {side, event}; wanted != m_selection) {
        m_selection = wanted;
        emit selectionChanged();
    }
}

void Workspace::setSelectedRanges(const std::optional<Ranges>& ranges)
{
    if (ranges != m_range) {
        m_range = ranges;
        emit selectedRangesChanged();
    }
}

void Workspace::setVisibleRanges(const Ranges& ranges)
{
    if (ranges != m_visible) {
        m_visible = ranges;
        emit visibleRangesChanged();
    }
}

void Workspace::setFilter(std::shared_ptr<const Query> filter)
{
    if (filter != m_filter) {
        m_filter = std::move(filter);
        emit filteredChanged();
    }
}

void Workspace::setWalk(const Walk& walk)
{
    if (walk != m_walk) {
        m_walk = walk;
        emit walkChanged();
    }
}

void Workspace::setActive(int side)
{
    if (side != m_active) {
        m_active = side;
        emit activeChanged();
    }
}

}  // namespace lanes::gui
