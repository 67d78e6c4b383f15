// SPDX-License-Identifier: MIT
// A replayed run as a recording: the records of the one that it was made of, at the times of the replay.
#pragma once

#include "engine/replay/change.h"
#include "engine/replay/replay.h"

namespace lanes::replay {

/// Its calls and operations, host work, reads, ranges and records of events and synchronisations; what a thread did
/// between two calls moves with it. Calls that were dropped are not there; calls that became others have the name of
/// those. meta::changes says what was changed; figures of the recorded run's repetitions are left out. Cost: the copy
/// of the trace, and that of TraceBuilder::finish().
Trace make_trace(
    const Trace& recorded, const Script& script, const Replayed& replayed, const std::vector<Change>& changes);

}  // namespace lanes::replay
