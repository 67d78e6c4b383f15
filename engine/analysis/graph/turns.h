// SPDX-License-Identifier: MIT
// Threads of PyTorch that take turns: while autograd's thread runs the backward pass, the thread that called backward()
// waits for it. No profiler records that wait. It is inferred if a thread with backward operators works during a gap of
// another thread of its process, from the beginning to the end of the gap.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// `thread` continued at `at` because thread `from` of its process had finished something at `ended`. Inferred.
struct Turn {
    Row thread;
    Ns at;
    Row from;
    Ns ended;  ///< at `at` or before
    friend bool operator==(const Turn&, const Turn&) = default;
};

/// Sorted by thread, then by `at`; turns of one thread do not overlap. There are none unless a thread of the process
/// does only backward passes, nor if another thread is in a call meanwhile. Cost: n log n in the operators and
/// calls of such processes, linear in other ranges.
std::vector<Turn> find_turns(const Trace& trace);

/// The last turn that a thread was given at `time` or before; `turns`: from find_turns(); null: none. Cost: log n.
const Turn* last_turn(const std::vector<Turn>& turns, Row thread, Ns time);

}  // namespace lanes
