// SPDX-License-Identifier: MIT
// How much the kernels of a workload's run have to do, by its text: two runs whose kernels differ in that do not do the
// same work. The recorded times do not show it: beside others a kernel takes longer.
#pragma once

#include "engine/trace/trace.h"

#include <compare>
#include <string>
#include <vector>

namespace lanes {

/// What a `kernel` step says of one kernel. One of the three is not 0.
struct KernelSize {
    std::string name;
    Ns time = 0;  ///< of the kernel alone
    double flops = 0, bytes = 0;
    friend auto operator<=>(const KernelSize&, const KernelSize&) = default;
};

/// Every name and size once, by name, the smallest first. Empty if the recording has no workload, or one that this
/// version cannot read. Cost: that of compile().
std::vector<KernelSize> kernel_sizes(const Trace& trace);

/// "100 µs", "2 MiB" or "3e+09 FLOP".
std::string shown_size(const KernelSize& size);

}  // namespace lanes
