// SPDX-License-Identifier: MIT
#include "gui/session/critical_paths.h"

namespace lanes::gui {

namespace {

/// Something found in a recording, with the recording.
template <class T> struct FoundIn {
    OpenRecordingPtr recording;
    T found;
};

template <class T> ScopeResults::Result keep(const OpenRecordingPtr& recording, T found)
{
    const auto kept = std::make_shared<const FoundIn<T>>(FoundIn<T> {recording, std::move(found)});
    return std::shared_ptr<const T>(kept, &kept->found);
}

}  // namespace

CriticalPaths::CriticalPaths(Workspace* workspace)
    : ResultsOf(
        workspace,
        [](const OpenRecordingPtr& recording, Interval range) {
            return keep(recording, ShownPath(*recording->graph, range));
        },
        Of::scope)
{
}

IdleTimes::IdleTimes(Workspace* workspace, Of of)
    : ResultsOf(
        workspace,
        [](const OpenRecordingPtr& recording, Interval range) {
            return keep(recording, idle_reasons(*recording->graph, range));
        },
        of)
{
}

FoundIterations::FoundIterations(Workspace* workspace)
    : ResultsOf(
        workspace,
        [](const OpenRecordingPtr& recording, Interval) -> Result {
            auto found = recording->ranges ? iterations_of(*recording->graph, recording->ranges->bounds())
                                           : std::optional<Iterations>();
            return found ? keep(recording, std::move(*found)) : nullptr;
        },
        Of::whole)
{
}

}  // namespace lanes::gui
