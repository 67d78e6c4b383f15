// SPDX-License-Identifier: MIT
// What takes a while to find in the open recordings, of the workspace's scope or of the whole: found on a worker thread
// while somebody wants it, and again when the scope is another. Belongs to the window's thread.
#pragma once

#include "gui/session/workspace.h"
#include "gui/timeline/question.h"

#include <QObject>

#include <array>
#include <memory>

namespace lanes::gui {

class ScopeResults : public QObject {
    Q_OBJECT
public:
    using Result = std::shared_ptr<const void>;
    /// Called on the worker thread; a null result: the recording has nothing to find it from.
    using Find = Result (*)(const OpenRecordingPtr& recording, Interval range);
    /// Workspace::scope(), or always the whole.
    enum class Of : std::uint8_t { scope, whole };

    /// Belongs to the workspace.
    ScopeResults(Workspace* workspace, Find find, Of of);

    /// As long as nobody wants them none are found; those that there are stay until something else is open or selected.
    void setWanted(const QObject* by, bool wanted);
    /// What those that are found or being found are of.
    const Scope& scope() const { return m_scope; }
    /// Whether they are being found.
    bool isRunning() const { return m_finding.isPending(); }
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

    void findAgain();

    Workspace* m_workspace;
    Find m_find;
    Of m_of;
    Results m_results;
    Scope m_scope;
    QString m_problem;
    Question<Results> m_finding;
};

template <class T> class ResultsOf : public ScopeResults {
public:
    using ScopeResults::ScopeResults;
    /// Of A or B; null: not found yet, not wanted, or there is nothing to find it from.
    std::shared_ptr<const T> at(int side) const { return std::static_pointer_cast<const T>(resultAt(side)); }
};

}  // namespace lanes::gui
