// SPDX-License-Identifier: MIT
// Whether the clock of the GPUs is late against that of the CPU. Foreign traces have such clocks: there, calls that
// wait for the GPU return before the recorded end of what they waited for.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// By how much the clock is late, at least, ns; 0: no call says so. `early`: by how much each call that waits returned
/// before the recorded end of its work, of those that returned earlier than tolerance() allows. `least_issue`: the
/// shortest time from the start of a call to that of an operation that it issued. No clock is later than that: else the
/// operation began before its call.
///
/// Returns the most that `early` has up to `least_issue` if three or more are that or up to 20 us less, and these are
/// half of all or more: a thread is woken a few microseconds after its work was done. Cost: n log n.
Ns gpu_clock_late(std::vector<Ns> early, Ns least_issue);

/// The same of a recording, from successful synchronisations with a stream or a context and synchronous downloads whose
/// work is known: it was issued by calls that had returned. Cost: linear in calls and operations, log n for each such
/// call and stream.
Ns gpu_clock_late(const Trace& trace);

}  // namespace lanes
