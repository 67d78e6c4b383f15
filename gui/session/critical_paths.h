// SPDX-License-Identifier: MIT
// The critical paths of the open recordings, of the selected range or else of the whole: found on a worker thread while
// somebody wants them, and again when another range is selected. Belongs to the window's thread.
#pragma once

#include "gui/lanes/shown_path.h"
#include "gui/session/workspace.h"

#include <QFutureWatcher>
#include <QObject>

#include <array>
#include <memory>
#include <set>

namespace lanes::gui {

class CriticalPaths : public QObject {
    Q_OBJECT
public:
    /// Belongs to the workspace.
    explicit CriticalPaths(Workspace* workspace);

    /// As long as nobody wants them none are found; those that there are stay until something else is open or selected.
    void setWanted(const QObject* by, bool wanted);
    /// Of A or B; null: not found yet, not wanted, or the recording has nothing to find it from. What it was found from
    /// lives as long as it does.
    std::shared_ptr<const ShownPath> at(int side) const
    {
        return side >= 0 && side < 2 ? m_paths[static_cast<std::size_t>(side)] : nullptr;
    }
    /// Whether they are of a selected range.
    bool isOfRange() const { return m_ofRange; }
    /// Whether they are being found.
    bool isRunning() const { return m_finding.isRunning(); }

signals:
    void changed();

private:
    using Paths = std::array<std::shared_ptr<const ShownPath>, 2>;

    void forget();
    void find();

    Workspace* m_workspace;
    std::set<const QObject*> m_wantedBy;
    Paths m_paths;
    bool m_ofRange = false;
    bool m_stale = true;  // m_paths are not of what is open and selected
    QFutureWatcher<Paths> m_finding;
};

}  // namespace lanes::gui
