// SPDX-License-Identifier: MIT
// The state that panels and the timeline share: no, one (A) or two open recordings (A above B), the selected event, the
// selected and the visible range, and the active side. Panels and the timeline observe it and report the user's actions
// to it; they do not know one another.
//
// Observers are called in the order in which they connected. The timeline is the first, so it already shows new
// recordings when panels hear of them. Two runs of one variant are titled by the parameters in which they differ. For
// the window's thread only.
#pragma once

#include "gui/session/open_recording.h"
#include "gui/timeline/lane_search.h"

#include <QObject>

#include <array>
#include <optional>
#include <vector>

namespace lanes::gui {

class Workspace : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// A is the first.
    const std::vector<OpenRecordingPtr>& recordings() const { return m_recordings; }
    int count() const { return static_cast<int>(m_recordings.size()); }
    OpenRecordingPtr at(int side) const
    {
        return side >= 0 && side < count() ? m_recordings[static_cast<std::size_t>(side)] : nullptr;
    }

    /// Opens these, at most two, A first; their titles may be changed. Clears the selection. `active` is the active
    /// side then.
    void set(std::vector<OpenRecordingPtr> recordings, int active = 0);
    /// Replaces the open recordings by newer versions, such as those of a live recording. Calls set() if their number
    /// differs.
    void renew(std::vector<OpenRecordingPtr> recordings);
    /// Opens it as A if nothing is open, else as B.
    void add(OpenRecordingPtr recording);
    void close(int side);
    void swap();

    struct Selection {
        int side = 0;
        EventRef event;  ///< of that side's recording; none: nothing is selected
        friend bool operator==(const Selection&, const Selection&) = default;
    };
    const Selection& selection() const { return m_selection; }
    void select(int side, EventRef event);
    /// Selects the item, and scrolls to it if it is not visible.
    void follow(int side, ItemRef item) { emit followWanted(side, item); }
    /// Selects the item, and centres the timeline on it.
    void jump(int side, ItemRef item) { emit jumpWanted(side, item); }

    /// Selects a range of a recording's time and zooms to it.
    void showRange(int side, Interval range) { emit rangeShowWanted(side, range); }

    using Ranges = std::array<Interval, 2>;  ///< of A and of B, each in its own time
    bool hasRange() const { return m_range.has_value(); }
    /// Empty ranges if none is selected.
    Ranges selectedRanges() const { return m_range.value_or(Ranges {}); }
    void setSelectedRanges(const std::optional<Ranges>& ranges);
    const Ranges& visibleRanges() const { return m_visible; }
    void setVisibleRanges(const Ranges& ranges);

    /// Whether a filter hides events in the lanes. Reports and findings are always of all events.
    bool isFiltered() const { return m_filter != nullptr; }
    /// Null: the lanes show everything.
    const std::shared_ptr<const Query>& filter() const { return m_filter; }
    void setFilter(std::shared_ptr<const Query> filter);

    /// Events that are marked in the lanes, for stepping from one to the next.
    struct Walk {
        QString title;  ///< what they are; empty: hits of the search
        std::size_t count = 0;
        std::optional<std::size_t> current = {};  ///< which of them is selected
        friend bool operator==(const Walk&, const Walk&) = default;
    };
    const Walk& walk() const { return m_walk; }
    void setWalk(const Walk& walk);
    /// Marks these events in the lanes.
    void mark(const AskedHits& hits) { emit marksWanted(hits); }
    /// Selects the next (1) or previous (-1) marked event, and scrolls to it.
    void step(int direction) { emit stepWanted(direction); }

    /// The side to which commands apply: the last one that had the focus.
    int active() const { return m_active; }
    void setActive(int side);

signals:
    void changed();  ///< other recordings are open
    void renewed();  ///< newer versions of the open recordings have replaced them
    void selectionChanged();
    void selectedRangesChanged();
    void visibleRangesChanged();
    void filteredChanged();
    void walkChanged();
    void marksWanted(const lanes::gui::AskedHits& hits);
    void stepWanted(int direction);
    void activeChanged();
    void followWanted(int side, lanes::gui::ItemRef item);
    void jumpWanted(int side, lanes::gui::ItemRef item);
    void rangeShowWanted(int side, lanes::Interval range);

private:
    void tellChanged(int active = 0);

    std::vector<OpenRecordingPtr> m_recordings;
    Selection m_selection;
    std::optional<Ranges> m_range;
    Ranges m_visible {};
    std::shared_ptr<const Query> m_filter;
    Walk m_walk;
    int m_active = 0;
};

}  // namespace lanes::gui
