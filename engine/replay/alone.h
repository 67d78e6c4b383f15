// SPDX-License-Identifier: MIT
// How long each operation takes alone on the GPU: the effect of sharing in the recording is taken out, by the rule by
// which a replay shares anew.
//
// Kernels get multiprocessors in the order in which they begin: each has the part that its blocks fill, or what those
// before it leave, and is slower accordingly. Copies of both directions at once have the parts of their
// bandwidths that were fitted (h2d_duplex, d2h_duplex). Collectives take multiprocessors from kernels (crowd.h), and do
// their work once they have them. Kernels that stream memory slow one another down (traffic.h).
#pragma once

#include "engine/analysis/graph/graph.h"
#include "engine/replay/crowd.h"
#include "engine/run/model/model_device.h"

#include <vector>

namespace lanes::replay {

/// The part of a GPU's SMs that a kernel's blocks fill, 1 at most (share_of_gpu()), the GPU as the recording describes
/// it, else as `table` does; 0: neither knows its SMs, or the grid is not recorded.
float share_of(const KernelDetail& kernel, const Device& device, const ModelDevice& table);

struct Alone {
    std::vector<float> share;  ///< by operation; 0: it takes nothing from others
    std::vector<bool> streams;  ///< by operation: a kernel that streams memory (traffic.h)
    std::vector<Ns> length;  ///< by operation
    std::vector<Crowd> crowd;  ///< by operation; empty: the recording has no collectives
    std::vector<Ns> placed;  ///< by operation: when a collective's kernel had its multiprocessors; empty likewise
    std::vector<Ns> tail;  ///< by operation: how long before its end a kernel left room for small ones; mostly 0
};

/// A kernel of a smaller share than this fits beside the last blocks of one that fills the GPU.
inline constexpr float small_share = 0.5F;

/// Cost: linear in operations, times those that run at once.
Alone find_alone(const Graph& graph, const ModelDevice& table);

}  // namespace lanes::replay
