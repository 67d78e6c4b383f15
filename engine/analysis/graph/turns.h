// SPDX-License-Identifier: MIT
// Threads of PyTorch that take turns: while autograd's thread goes through the backward pass, the thread that called
// backward() waits for it. No profiler records that wait. It is inferred where a thread that goes through backward
// operators is at work in the midst of a gap of another one of its process, from its beginning to its end.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// A thread went on at `at` because another one of its process had done what it did until `ended`. Inferred.
struct Turn {
    Row thread;
    Ns at;
    Row from;
    Ns ended;  ///< at `at` or before
    friend bool operator==(const Turn&, const Turn&) = default;
};

/// Sorted by thread, then by `at`; those of one thread do not overlap. None where no thread of a process does nothing
/// but go backward, or where another one is in a call meanwhile. Cost: n log n in the operators and calls of the
/// processes in question, linear in the ranges else.
std::vector<Turn> find_turns(const Trace& trace);

/// The turn that a thread was given at `time`, or last before it; of `turns` as of find_turns(); null: there is none.
/// Cost: log n.
const Turn* last_turn(const std::vector<Turn>& turns, Row thread, Ns time);

}  // namespace lanes
