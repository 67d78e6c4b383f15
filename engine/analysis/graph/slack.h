// SPDX-License-Identifier: MIT
// How much later each operation could have ended without the run ending later: the graph gone through backwards.
//
// Whatever waited for something would have waited for it longer, at the same distance as recorded where that was what
// it waited for last; threads keep their own time between two calls and in each. What is on the critical path has none.
#pragma once

#include "engine/analysis/graph/graph.h"

#include <vector>

namespace lanes {

/// By operation, ns, 0 or more; of those that begin at `end` or later 0. `end`: when what counts as the run ended.
/// Cost: n log n in the calls, linear in operations; 16 bytes an operation and 40 a call while it runs.
std::vector<Ns> find_slack(const Graph& graph, Ns end);

}  // namespace lanes
