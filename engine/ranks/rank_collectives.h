// SPDX-License-Identifier: MIT
// The kernels of one GPU that communicate, as matched between the ranks of a job.
#pragma once

#include "engine/analysis/facts/communication.h"
#include "engine/ranks/rank_summary.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// What a recording says of the call behind a kernel that communicates.
struct CommunicatorCall {
    std::string communicator;  ///< the same text on all its ranks, such as NCCL's commHash
    std::optional<std::uint64_t> number;  ///< the n-th call of it since it was made; nothing: counted here
    std::uint64_t bytes = 0;  ///< 0: not recorded
};

/// Nothing where the recording does not say it. The only place that looks for it.
std::optional<CommunicatorCall> communicator_call_of(const Trace& trace, Row operation);

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
