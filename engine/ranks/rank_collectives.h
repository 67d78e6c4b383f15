// SPDX-License-Identifier: MIT
// The kernels of one GPU that communicate, as matched between the ranks of a job.
#pragma once

#include "engine/analysis/facts/communication.h"
#include "engine/ranks/rank_summary.h"
#include "engine/trace/owners.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// What a recording says of the call behind a kernel that communicates.
struct CommunicatorCall {
    /// The same text on all its ranks: NCCL's hash and the function, "0x00000000000004d2 ncclAllReduce"; the name and
    /// the members of a group of PyTorch's; "": not said.
    std::string communicator;
    std::optional<std::uint64_t> number;  ///< the n-th of it, from 0, the same on all ranks; nothing: not said
    std::uint64_t bytes = 0;  ///< 0: not recorded
};

/// Nothing where the recording does not say it. Cost: that of collective_ranges().
std::optional<CommunicatorCall> communicator_call_of(const Trace& trace, const Owners& owners, Row operation);

/// A GPU as one process uses it.
struct GpuOfProcess {
    std::uint32_t process, device;
    friend auto operator<=>(const GpuOfProcess&, const GpuOfProcess&) = default;
};

/// Those with a kernel that communicates.
std::vector<GpuOfProcess> communicating_gpus(const Trace& trace, const CommunicationKernels& communicates);

/// Adds the collectives of one to `rank`, with their names and from when to when they ran, on the source's clock; other
/// figures stay 0. Returns their rows, in the same order. Cost: linear in the operations, n log n in the collectives.
std::vector<Row> add_collectives(
    const Trace& trace, const CommunicationKernels& communicates, GpuOfProcess of, RankSummary& rank);

}  // namespace lanes
