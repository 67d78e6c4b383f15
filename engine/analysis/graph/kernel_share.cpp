// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/kernel_share.h"

#include <algorithm>

namespace lanes {

namespace {

using Of = Multiprocessor;

/// What a kernel's grid is made of, and what each block takes of a multiprocessor.
struct Blocks {
    std::uint64_t count = 1, threads = 1, registers = 0, shared = 0;

    explicit Blocks(const KernelDetail& kernel)
    {
        constexpr std::uint64_t warp = 32;
        for (std::size_t i = 0; i < kernel.grid.size(); ++i) {
            count *= kernel.grid[i];
            threads *= kernel.block[i];
        }
        const auto warps = (threads + warp - 1) / warp;
        threads = warps * warp;
        registers = (kernel.registers * warp + Of::register_unit - 1) / Of::register_unit * Of::register_unit * warps;
        shared = std::uint64_t {kernel.static_shared} + kernel.dynamic_shared + Of::block_shared_bytes;
    }
    bool known() const { return count > 0 && threads > 0; }
    /// How many of them a multiprocessor holds; one at least, for the kernel ran.
    std::uint64_t fit() const
    {
        std::uint64_t fit = std::min(Of::blocks, Of::threads / std::min(threads, Of::threads));
        fit = registers == 0 ? fit : std::min(fit, Of::registers / std::min(registers, Of::registers));
        return std::max<std::uint64_t>(1, std::min(fit, Of::shared_bytes / std::min(shared, Of::shared_bytes)));
    }
    /// Whether a multiprocessor that holds so many of them has room for one of the others.
    bool leave_room(std::uint64_t held, const Blocks& other) const
    {
        return held < Of::blocks && held * threads + other.threads <= Of::threads
            && held * registers + other.registers <= Of::registers && held * shared + other.shared <= Of::shared_bytes;
    }
};

}  // namespace

double share_of_gpu(const KernelDetail& kernel, std::uint32_t multiprocessors)
{
    const Blocks blocks(kernel);
    if (multiprocessors == 0 || !blocks.known()) {
        return 1;
    }
    return std::min(1., static_cast<double>(blocks.count) / static_cast<double>(blocks.fit() * multiprocessors));
}

double longer_beside(const KernelDetail& kernel, const KernelDetail& guest, std::uint32_t multiprocessors)
{
    const Blocks blocks(kernel);
    const Blocks guests(guest);
    if (multiprocessors == 0 || !blocks.known() || !guests.known()) {
        return 1;
    }
    const auto each = [&](std::uint64_t of) { return (blocks.count + of - 1) / of; };
    const bool fits = blocks.count + guests.count <= multiprocessors
        || blocks.leave_room(std::min(each(multiprocessors), blocks.fit()), guests);
    const auto left = multiprocessors - std::min<std::uint64_t>(guests.count, multiprocessors - 1);
    return fits ? 1 : static_cast<double>(each(left)) / static_cast<double>(each(multiprocessors));
}

}  // namespace lanes
