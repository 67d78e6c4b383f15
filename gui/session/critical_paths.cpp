// SPDX-License-Identifier: MIT
#include "gui/session/critical_paths.h"

#include <QtConcurrentRun>

#include <limits>

namespace lanes::gui {

namespace {

/// Keeps the recording with it.
std::shared_ptr<const ShownPath> pathOf(const OpenRecordingPtr& recording, Interval range)
{
    if (!recording->graph) {
        return nullptr;
    }
    struct Kept {
        OpenRecordingPtr recording;
        ShownPath path;
    };
    auto kept = std::make_shared<const Kept>(Kept {recording, ShownPath(*recording->graph, range)});
    return {kept, &kept->path};
}

}  // namespace

CriticalPaths::CriticalPaths(Workspace* workspace)
    : QObject(workspace)
    , m_workspace(workspace)
{
    for (const auto signal : {&Workspace::changed, &Workspace::renewed, &Workspace::selectedRangesChanged}) {
        connect(workspace, signal, this, &CriticalPaths::forget);
    }
    connect(&m_finding, &QFutureWatcher<Paths>::finished, this, [this] {
        if (m_stale) {
            find();
            return;
        }
        m_paths = m_finding.result();
        emit changed();
    });
}

void CriticalPaths::setWanted(const QObject* by, bool wanted)
{
    if (wanted) {
        m_wantedBy.insert(by);
        find();
    } else {
        m_wantedBy.erase(by);
    }
}

void CriticalPaths::forget()
{
    m_stale = true;
    if (m_paths != Paths {}) {
        m_paths = {};
        emit changed();
    }
    find();
}

void CriticalPaths::find()
{
    if (!m_stale || m_wantedBy.empty() || m_finding.isRunning()) {
        return;  // the end of those that are being found, or who wants them, comes back here
    }
    m_stale = false;
    m_ofRange = m_workspace->hasRange();
    constexpr Interval whole {0, std::numeric_limits<Ns>::max()};
    const auto ranges = m_ofRange ? m_workspace->selectedRanges() : Workspace::Ranges {whole, whole};
    m_finding.setFuture(QtConcurrent::run([recordings = m_workspace->recordings(), ranges] {
        Paths paths;
        for (std::size_t i = 0; i < recordings.size(); ++i) {
            paths[i] = pathOf(recordings[i], ranges[i]);
        }
        return paths;
    }));
}

}  // namespace lanes::gui
