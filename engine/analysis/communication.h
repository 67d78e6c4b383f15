// SPDX-License-Identifier: MIT
// Communication between GPUs: NCCL's kernels, and how much of their time is hidden behind
// other kernels of their GPU.
#pragma once

#include "engine/analysis/intervals.h"
#include "engine/trace/trace.h"

#include <map>

namespace lanes {

/// What a kernel of that name communicates: "AllReduce" for "ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)", "all_reduce"
/// for "nccl all_reduce". Empty: it is no communication. NCCL's kernels alone begin with "nccl", in every version of it.
std::string_view communication_of(std::string_view kernel);

struct CommunicationTime {
    Ns all = 0;      ///< length of the union
    Ns exposed = 0;  ///< of it, while no other kernel runs on that GPU
};

/// By device, those that communicate in the range. Cost: linear in the operations and n log n in kernels, where there
/// is any communication; else linear in the distinct names.
std::map<std::uint32_t, CommunicationTime> measure_communication(const Trace& trace, Interval range);

}  // namespace lanes
