// SPDX-License-Identifier: MIT
// What keeps the threads that issue a GPU's work from issuing it.
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "engine/ranks/rank_collectives.h"

namespace lanes {

/// ns, of the threads that issue operations of one GPU, each until it issues its last one.
struct IssuerTime {
    IntervalSet loading;  ///< they wait for the next batch: of PyTorch's DataLoader, or from a queue of a workload
    IntervalSet recording;  ///< the profiler keeps them
};

/// Cost: linear in the operations, ranges, host spans and overheads, n log n in those that are found.
IssuerTime issuer_time(const Trace& trace, GpuOfProcess of);

}  // namespace lanes
