// SPDX-License-Identifier: MIT
// Threads that poll the GPU until it is done: spins of cudaEventQuery or cudaStreamQuery.
#pragma once

#include "engine/analysis/facts/call_class.h"
#include "engine/trace/trace.h"

#include <span>
#include <vector>

namespace lanes {

/// Longer than an iteration of a loop around a query, ns. The recorder itself delayed one by 33 us (H200, CUPTI 13.0),
/// when it exchanged a buffer during a spin.
inline constexpr Ns most_between_queries = 100'000;

/// Two or more queries of one event or one stream by one thread; only the last found it done. Between two of them are
/// at most `most_between_queries` and only calls that read the thread's own state (PyTorch clears the last error after
/// each query). The recorder may have joined them into one call.
struct Poll {
    Row first, last;  ///< into Trace::calls
    Row sync;  ///< the first query's record, which says what the query was about; no_row: none
    bool known;  ///< false: what was asked, or the answer, is not recorded: it may have been no spin
};

/// In the order of their first calls. `classes` are call_classes(trace), `syncs` the row of Trace::syncs of each call,
/// or no_row. Unknown ones of 20 us or less are left out. Cost: linear in calls.
std::vector<Poll> find_polls(const Trace& trace, const std::vector<CallClass>& classes, std::span<const Row> syncs);

}  // namespace lanes
