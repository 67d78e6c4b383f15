// SPDX-License-Identifier: MIT
// Where threads, or kernels of several GPUs, wait for one another: queues, joins of threads, collectives. Each goes
// through a Script whose items and operations have their places. Private to engine/replay.
#pragma once

#include "engine/replay/script.h"

#include <cstdint>
#include <vector>

namespace lanes::replay {

/// Puts and gets of each queue: fills Script::queue_of and Script::queues. A put that waited shows how much its queue
/// holds. `item_of_span` by row of Trace::host_spans, `none` where it is no item.
void join_queues(const Graph& graph, const std::vector<std::uint32_t>& item_of_span, Script& script);

/// A join of a thread waits for the last thing of that thread of its process which was done last by then. Cost: joins
/// times threads.
void join_ends(const Trace& trace, const std::vector<std::uint32_t>& item_of_span, Script& script);

/// The kernels of one collective: fills Operation::gang, their lengths and Script::gang_sizes. `operation_of` and
/// `placed` (Alone) by row of Trace::operations.
void join_gangs(
    const Graph& graph, const std::vector<std::uint32_t>& operation_of, const std::vector<Ns>& placed, Script& script);

}  // namespace lanes::replay
