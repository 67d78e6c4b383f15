// SPDX-License-Identifier: MIT
// A replayed run as a recording: the records of the original, at the times of the replay.
#pragma once

#include "engine/replay/change.h"
#include "engine/replay/replay.h"

namespace lanes::replay {

/// Has the calls and operations, host work, reads, ranges and records of events and synchronisations; what a thread did
/// between two calls moves with them. Dropped calls are missing; calls that became others have their names.
/// meta::changes says what was changed; figures of the recorded run's repetitions are left out. Cost: a copy of the
/// trace, and that of TraceBuilder::finish().
Trace make_trace(
    const Trace& recorded, const Script& script, const Replayed& replayed, const std::vector<Change>& changes);

}  // namespace lanes::replay
