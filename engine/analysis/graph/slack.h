// SPDX-License-Identifier: MIT
// How much later each operation could have ended without the run ending later: the graph gone through backwards.
//
// Whatever waited for something would have waited for it longer, at the same distance as recorded where that was what
// it waited for last; threads keep their own time between two calls and in each. What is on the critical path has none.
#pragma once

#include "engine/analysis/graph/graph.h"

#include <vector>

namespace lanes {

/// By operation, ns, 0 or more: of those that touch `range`, as if the run had ended at its end; of others 0. What lies
/// outside the range does not count. Cost: n log n in its calls, linear in its operations; 8 bytes an operation of
/// the recording, and 24 a call of the range while it runs.
std::vector<Ns> find_slack(const Graph& graph, Interval range);

}  // namespace lanes
