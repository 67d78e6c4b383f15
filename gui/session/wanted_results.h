// SPDX-License-Identifier: MIT
// What takes a while to find in the open recordings, of the selected range, of what repeats or of the whole: found on a
// worker thread while somebody wants it, and again when another range is selected. Belongs to the window's thread.
#pragma once

#include "gui/session/workspace.h"
#include "gui/timeline/latest_answer.h"

#include <QObject>

#include <array>
#include <memory>
#include <set>

namespace lanes::gui {

class WantedResults : public QObject {
    Q_OBJECT
public:
    using Result = std::shared_ptr<const void>;
    /// Called on the worker thread; a null result: the recording has nothing to find it from.
    using Find = Result (*)(const OpenRecordingPtr& recording, Interval range);
    /// The selected range where there is one, else the part that repeats where the window shows that first; always the
    /// whole.
    enum class Of : std::uint8_t { range, whole };

    /// Belongs to the workspace.
    WantedResults(Workspace* workspace, Find find, Of of);

    /// As long as nobody wants them none are found; those that there are stay until something else is open or selected.
    void setWanted(const QObject* by, bool wanted);
    /// Whether they are of a selected range.
    bool isOfRange() const { return m_ofRange; }
    /// Whether they are of the part that repeats (repeatedPart()): of one recording, where no range is selected.
    bool isOfRepeatedPart() const { return m_ofRepeatedPart; }
    /// Of the whole also where they would be of the part that repeats; until something else is open.
    void setWholeWanted(bool wanted);
    /// Whether they are being found.
    bool isRunning() const { return m_finding.isRunning(); }
    /// Why none are found; "": nothing went wrong. They are looked for again when somebody wants them anew.
    const QString& problem() const { return m_problem; }

signals:
    void changed();

protected:
    Result resultAt(int side) const
    {
        return side >= 0 && side < 2 ? m_results[static_cast<std::size_t>(side)] : nullptr;
    }

private:
    using Results = std::array<Result, 2>;

    void forget();
    void findAgain();

    Workspace* m_workspace;
    Find m_find;
    Of m_of;
    std::set<const QObject*> m_wantedBy;
    Results m_results;
    bool m_ofRange = false;
    bool m_ofRepeatedPart = false;
    bool m_wholeWanted = false;
    bool m_stale = true;  // m_results are not of what is open and selected
    QString m_problem;
    LatestAnswer<Results> m_finding;
};

template <class T> class Wanted : public WantedResults {
public:
    using WantedResults::WantedResults;
    /// Of A or B; null: not found yet, not wanted, or there is nothing to find it from.
    std::shared_ptr<const T> at(int side) const { return std::static_pointer_cast<const T>(resultAt(side)); }
};

}  // namespace lanes::gui
