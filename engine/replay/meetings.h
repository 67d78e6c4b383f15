// SPDX-License-Identifier: MIT
// Where threads, or kernels of several GPUs, wait for one another: queues, joins of threads, collectives. Each function
// works on a Script whose items and operations are in place. Private to engine/replay.
#pragma once

#include "engine/replay/script.h"

#include <cstdint>
#include <vector>

namespace lanes::replay {

/// Puts and gets of each queue: fills Script::queue_of and Script::queues. A put that waited shows the capacity of its
/// queue. `item_of_span` by row of Trace::host_spans; `none`: it is no item.
void join_queues(const Graph& graph, const std::vector<std::uint32_t>& item_of_span, Script& script);

/// A join waits for the last item of another thread of its process: of the thread that had ended last by then. Cost:
/// joins times threads.
void join_ends(const Trace& trace, const std::vector<std::uint32_t>& item_of_span, Script& script);

/// The kernels of one collective: fills Operation::gang, their lengths and Script::gang_sizes. `operation_of` and
/// `placed` (Alone) by row of Trace::operations.
void join_gangs(
    const Graph& graph, const std::vector<std::uint32_t>& operation_of, const std::vector<Ns>& placed, Script& script);

}  // namespace lanes::replay
