// SPDX-License-Identifier: MIT
// How long operations take that have the GPU for themselves: what they shared while they were recorded is taken out
// again, by the rule by which a replay shares it anew.
//
// Multiprocessors go to kernels in the order in which they begin: one has as large a part of them as its blocks fill,
// or what those before it leave, and works as much slower. Copies of both directions at once have the parts of their
// bandwidths that were fitted (h2d_duplex, d2h_duplex). Collectives take multiprocessors from kernels (crowd.h), and
// begin in earnest when they have them. Kernels that stream memory slow one another down (traffic.h).
#pragma once

#include "engine/analysis/graph/graph.h"
#include "engine/replay/crowd.h"
#include "engine/run/model/model_device.h"

#include <vector>

namespace lanes::replay {

/// The part of a GPU's SMs that a kernel's blocks fill, 1 at most (share_of_gpu()), of a GPU as the recording describes
/// it, else of `table`; 0 where neither knows its SMs, or the grid is not recorded.
float share_of(const KernelDetail& kernel, const Device& device, const ModelDevice& table);

struct Alone {
    std::vector<float> share;  ///< by operation; 0: it is in nobody's way
    std::vector<bool> streams;  ///< by operation: a kernel that goes over memory
    std::vector<Ns> length;  ///< by operation
    std::vector<Crowd> crowd;  ///< by operation; empty: there are no collectives
    std::vector<Ns> placed;  ///< by operation, of a collective's when it had its multiprocessors; empty likewise
    std::vector<Ns> tail;  ///< by operation: so long before its end a kernel left room for small ones, 0 mostly
};

/// A kernel of a smaller share than this fits beside the last blocks of one that fills the GPU.
inline constexpr float small_share = 0.5F;

/// Cost: linear in operations, times those that run at once.
Alone find_alone(const Graph& graph, const ModelDevice& table);

}  // namespace lanes::replay
