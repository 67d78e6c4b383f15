// SPDX-License-Identifier: MIT
// Which record of a cudaEvent each wait is for, and what was submitted to a stream before a moment.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// A stream's or a thread's wait for one record of an event. The pointers are into Trace::syncs and Trace::events.
struct EventWait {
    const Sync* wait;
    const Event* record;
    Row call;  ///< the outermost call that waits; no_row: unknown
    Ns time;  ///< of its start, or of the wait's where it has no call
};

/// A wait is for the record that it names, else for the latest record of its event before it; waits for records that
/// the recording lacks are left out. In the order of Trace::syncs. Cost: log n for each wait.
std::vector<EventWait> event_waits(const Trace& trace);

/// The first operation of a stream that was submitted at `time` or later; the end of its rows if there is none. An
/// operation is submitted at the start of the call that issued it, at its own where no call is known. Cost: log n.
Row first_submitted(const Trace& trace, Row stream, Ns time);

}  // namespace lanes
