// SPDX-License-Identifier: MIT
// Slack: how much later each operation could have ended without the run ending later. Operations on the critical path
// have none.
//
// The graph is walked backwards. What waits for a predecessor keeps its recorded distance if that predecessor was the
// last that it waited for; threads keep their own time in calls and between them.
#pragma once

#include "engine/analysis/graph/graph.h"

#include <vector>

namespace lanes {

/// By operation of the recording, ns; 0 for operations that do not touch `range`. The run counts as ended at the end of
/// the range. Cost: n log n in the calls of the range, linear in its operations; 8 bytes an operation of the recording,
/// and temporarily 24 a call of the range.
std::vector<Ns> find_slack(const Graph& graph, Interval range);

}  // namespace lanes
