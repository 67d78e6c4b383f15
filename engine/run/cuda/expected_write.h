// SPDX-License-Identifier: MIT
// How an operation changes what the buffers are expected to hold. It is applied when the
// operation is issued or, if the operation goes into a graph, each time that the graph is launched.
#pragma once

#include "engine/run/cuda/ops.h"

namespace lanes {

struct ExpectedWrite {
    enum class Kind : std::uint8_t { set, copy, compute, communicate };
    Kind kind;
    std::uint32_t from = 0;  ///< of `copy`: the first segment
    SegmentSpan to {};  ///< of `set` and `copy`
    std::uint64_t word = 0;  ///< of `set`
    const ComputedKernel* kernel = nullptr;  ///< of `compute`
    const CollectiveOp* collective = nullptr;  ///< of `communicate`
};

/// Cost: one store a segment written.
void apply(const ExpectedWrite& write, ExpectedContents& expected);

}  // namespace lanes
