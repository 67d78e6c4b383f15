// SPDX-License-Identifier: MIT
// The one state of a window: no, one (A) or two open recordings (A above B) and, in a TimelinePair, how both are looked
// at: selection, selected and visible range, scope, filter, lanes, active side. The timeline draws it and panels
// observe it; both report the user's actions to it and do not know one another. Nothing of it is kept twice: what is
// said here of ranges, filter and active side is read from the pair.
//
// The pair has new recordings when panels hear of them. Observers are called in the order in which they connected. Two
// runs of one variant are titled by the parameters in which they differ. For the window's thread only.
#pragma once

#include "gui/lanes/scope.h"
#include "gui/session/open_recording.h"
#include "gui/timeline/lane_search.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace lanes::gui {

class ScopeReports;
class Timeline;
class TimelinePair;

class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(QObject* parent = nullptr);
    ~Workspace() override;

    /// How both recordings are looked at; whoever draws it shares it.
    const std::shared_ptr<TimelinePair>& pair() const { return m_pair; }

    /// A is the first.
    const std::vector<OpenRecordingPtr>& recordings() const { return m_recordings; }
    int count() const { return static_cast<int>(m_recordings.size()); }
    OpenRecordingPtr at(int side) const
    {
        return side >= 0 && side < count() ? m_recordings[static_cast<std::size_t>(side)] : nullptr;
    }

    /// Opens these, at most two, A first; their titles may be changed. Clears the selection. `active` is the active
    /// side then. `scope`: see TimelinePair::open().
    void set(
        std::vector<OpenRecordingPtr> recordings, int active = 0, const std::optional<Scope>& scope = std::nullopt);
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
    /// The event that the selected item belongs to: of a blocked stretch its call.
    Selection selection() const;
    void select(int side, EventRef event);
    /// Selects the item on that side, which becomes the active one, and scrolls to it if it is not visible.
    void follow(int side, ItemRef item);
    /// Selects the item, and centres the timeline on it.
    void jump(int side, ItemRef item);

    /// Selects a range of a recording's time; nothing: none is selected.
    void selectRange(int side, std::optional<Interval> range);
    /// Selects a range of a recording's time and zooms to it.
    void showRange(int side, Interval range);
    bool hasRange() const;
    /// Empty ranges if none is selected.
    Ranges selectedRanges() const;
    Ranges visibleRanges() const;
    /// What everything that is said of the recordings is of; see TimelinePair::scope().
    Scope scope() const;
    /// By the user.
    void chooseScope(Scope::Of of);
    /// The reports of that.
    const ScopeReports& reports() const { return *m_reports; }

    /// Whether a filter hides events in the lanes. Reports and findings are always of all events.
    bool isFiltered() const { return filter() != nullptr; }
    /// Null: the lanes show everything.
    const std::shared_ptr<const Query>& filter() const;

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
    int active() const;
    void setActive(int side);

signals:
    void changed();  ///< other recordings are open
    void renewed();  ///< newer versions of the open recordings have replaced them
    void selectionChanged();
    void selectedRangesChanged();
    void scopeChanged();  ///< see TimelinePair
    void visibleRangesChanged();
    void filteredChanged();
    void walkChanged();
    void marksWanted(const lanes::gui::AskedHits& hits);
    void stepWanted(int direction);
    void activeChanged();

private:
    void tellChanged(int active = 0, const std::optional<Scope>& scope = std::nullopt);
    void tellSelection();
    void tellVisible();
    void tellFilter();

    std::vector<OpenRecordingPtr> m_recordings;
    std::shared_ptr<TimelinePair> m_pair;
    ScopeReports* m_reports;
    Walk m_walk;
    // What was said last, so that only what changed is said.
    Selection m_toldSelection;
    Ranges m_toldVisible {};
    std::shared_ptr<const Query> m_toldFilter;
};

}  // namespace lanes::gui
