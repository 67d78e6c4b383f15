// SPDX-License-Identifier: MIT
// What time each iteration takes: iterations follow one another without gaps, even if the CPU runs ahead of the GPU.
//
// One begins at the start of its range, or at its first issue. If the work of those before it (their ranges, and the
// operations issued in them) is done later, it begins then, but no later than its first operation on the main stream:
// what it uploads early on another stream runs beside those before it, and is no reason to begin. It lasts to the start
// of the next one. The last one ends with the work of all: what would come before a next one is not known.
//
// The main stream is the one that computes most: on which kernels that do not communicate take most time; without such
// kernels, all operations. If less than nine of ten iterations have work on it, they are dealt to several streams, and
// each has its own main stream.
#pragma once

#include "engine/analysis/facts/steady_state.h"

#include <vector>

namespace lanes {

struct IterationSpans {
    std::vector<Interval> all;  ///< ns; each ends where the next one begins
    std::vector<Ns> done;  ///< when the work of each and of those before it is done
};

/// Those of `repetition`, which must be of `trace`. Cost: linear in the operations, and that of CommunicationKernels.
IterationSpans iteration_spans(const Trace& trace, const Repetition& repetition);

}  // namespace lanes
