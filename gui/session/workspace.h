// SPDX-License-Identifier: MIT
// What is open and what is looked at: none, one (A) or two recordings (A above B), the selected event, the selected
// and the visible range, the active side. Panels and the timeline observe it and tell it what a user does; none of
// them knows another.
//
// Observers are called in the order in which they connected. The timeline is the first: when a panel learns of other
// recordings, the timeline already shows them. Two runs of one variant are titled by the parameters in which they
// differ. Belongs to the window's thread.
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

    /// A first.
    const std::vector<OpenRecordingPtr>& recordings() const { return m_recordings; }
    int count() const { return static_cast<int>(m_recordings.size()); }
    OpenRecordingPtr at(int side) const
    {
        return side >= 0 && side < count() ? m_recordings[static_cast<std::size_t>(side)] : nullptr;
    }

    /// At most two, A first; titles aside they are those that are given. Nothing is selected then.
    void set(std::vector<OpenRecordingPtr> recordings);
    /// Others of the same in their place: set() where there are more or fewer than before.
    void renew(std::vector<OpenRecordingPtr> recordings);
    /// As A if nothing is open, else as B.
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
    /// Selects it, and brings it into sight where it is not.
    void follow(int side, ItemRef item) { emit followWanted(side, item); }
    /// Selects it, and brings it to the middle of the timeline.
    void jump(int side, ItemRef item) { emit jumpWanted(side, item); }

    /// Selects a range of a recording's time and zooms to it.
    void showRange(int side, Interval range) { emit rangeShowWanted(side, range); }

    using Ranges = std::array<Interval, 2>;  ///< of A and of B, each in its own time
    bool hasRange() const { return m_range.has_value(); }
    /// What is selected; empty ranges where nothing is.
    Ranges selectedRanges() const { return m_range.value_or(Ranges {}); }
    void setSelectedRanges(const std::optional<Ranges>& ranges);
    const Ranges& visibleRanges() const { return m_visible; }
    void setVisibleRanges(const Ranges& ranges);

    /// Whether a filter hides some events of the lanes. Reports and what is made of them are of all events.
    bool isFiltered() const { return m_filter != nullptr; }
    /// Null: the lanes show everything.
    const std::shared_ptr<const Query>& filter() const { return m_filter; }
    void setFilter(std::shared_ptr<const Query> filter);

    /// Events that are marked in the lanes, to go from one to the next.
    struct Walk {
        QString title;  ///< what they are; empty: the words of a search
        std::size_t count = 0;
        std::optional<std::size_t> current = {};  ///< which of them is selected
        friend bool operator==(const Walk&, const Walk&) = default;
    };
    const Walk& walk() const { return m_walk; }
    void setWalk(const Walk& walk);
    /// Marks these events in the lanes.
    void mark(const AskedHits& hits) { emit marksWanted(hits); }
    /// Selects the next (1) or the previous (-1) of those that are marked, and brings it into sight.
    void step(int direction) { emit stepWanted(direction); }

    /// The side that commands concern: the last one that had the focus.
    int active() const { return m_active; }
    void setActive(int side);

signals:
    void changed();  ///< other recordings are open
    void renewed();  ///< others of the same are in the place of those that were open
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
    void tellChanged();

    std::vector<OpenRecordingPtr> m_recordings;
    Selection m_selection;
    std::optional<Ranges> m_range;
    Ranges m_visible {};
    std::shared_ptr<const Query> m_filter;
    Walk m_walk;
    int m_active = 0;
};

}  // namespace lanes::gui
