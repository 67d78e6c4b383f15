// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/kernel_share.h"

#include <algorithm>

namespace lanes {

double share_of_gpu(const KernelDetail& kernel, std::uint32_t multiprocessors)
{
    constexpr std::uint64_t warp = 32;
    using Of = Multiprocessor;
    std::uint64_t blocks = 1;
    std::uint64_t threads = 1;
    for (std::size_t i = 0; i < kernel.grid.size(); ++i) {
        blocks *= kernel.grid[i];
        threads *= kernel.block[i];
    }
    if (multiprocessors == 0 || blocks == 0 || threads == 0) {
        return 1;
    }
    const auto warps = (threads + warp - 1) / warp;
    const auto of_warp
        = (kernel.registers * warp + Of::register_unit - 1) / Of::register_unit * Of::register_unit;  // registers
    const std::uint64_t shared = std::uint64_t {kernel.static_shared} + kernel.dynamic_shared + Of::block_shared_bytes;
    std::uint64_t fit = std::min(Of::blocks, Of::threads / std::min(warps * warp, Of::threads));
    fit = of_warp == 0 ? fit : std::min(fit, Of::registers / std::min(of_warp * warps, Of::registers));
    fit = std::max<std::uint64_t>(1, std::min(fit, Of::shared_bytes / std::min(shared, Of::shared_bytes)));
    return std::min(1., static_cast<double>(blocks) / static_cast<double>(fit * multiprocessors));
}

}  // namespace lanes
