// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/gpu_times.h"

#include "engine/analysis/figures/overlap_levels.h"

#include <utility>

namespace lanes {

GpuTimes gpu_times(const Trace& trace, const CommunicationKernels& communicates, std::uint32_t device, Interval range,
    const std::stop_token& stop)
{
    const auto computes
        = [&](Row row) { return trace.operations.kind[row] == OperationKind::kernel && !communicates.has(trace, row); };
    const IntervalSet compute = std::move(OverlapSweep(trace, device, computes).levels(range, stop)[0]);
    const IntervalSet others
        = std::move(OverlapSweep(trace, device, [&](Row row) { return !computes(row); }).levels(range, stop)[0]);
    return {intersect(compute, others), subtract(compute, others), subtract(others, compute)};
}

}  // namespace lanes
