// SPDX-License-Identifier: MIT
// What a collective does to the buffers of its ranks. The checks, the model device and the CUDA runner's expectations
// are computed from this.
#pragma once

#include "engine/workload/program.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanes {

/// Afterwards bytes [offset, offset + bytes) of the buffers of the ranks `to` hold the sum of what those of the ranks
/// `from` held. The others keep theirs.
struct CollectivePart {
    std::uint64_t offset, bytes;
    std::vector<std::uint32_t> from, to;
};

/// The parts of a collective of buffers of `bytes` bytes each, by offset. They do not overlap.
std::vector<CollectivePart> parts_of(const CollectiveAction& action, std::uint64_t bytes);

/// Bytes that each GPU sends, as a share of its buffer's bytes: PERFORMANCE.md of NCCL's tests, "Bus Bandwidth".
double traffic_of(CollectiveKind kind, std::size_t ranks);

struct CollectiveNames {
    std::string_view step;  ///< in a workload
    std::string_view kernel;  ///< of its kernels where their own name is not known; tools recognise how it begins
    std::string_view nccl_kernel;  ///< as NCCL 2.28 names them for sums of doubles
};
const CollectiveNames& names_of(CollectiveKind kind);

/// The one whose CollectiveNames::step is `step`. Needs that there is one.
CollectiveKind collective_named(std::string_view step);

}  // namespace lanes
