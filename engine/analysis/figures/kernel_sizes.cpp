// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/kernel_sizes.h"

#include "engine/analysis/facts/recorded_program.h"
#include "engine/analysis/words/shown.h"
#include "engine/formatted.h"

#include <algorithm>

namespace lanes {

std::vector<KernelSize> kernel_sizes(const Trace& trace)
{
    const auto recorded = recorded_program(trace);
    if (!recorded) {
        return {};
    }
    std::vector<KernelSize> sizes;
    for (const auto& thread : recorded->program.threads) {
        for (const auto& instruction : thread.instructions) {
            if (const auto* kernel = std::get_if<KernelAction>(&instruction.action)) {
                KernelSize size {kernel->name, kernel->time, kernel->flops, kernel->bytes};
                if (sizes.empty() || sizes.back() != size) {
                    sizes.push_back(std::move(size));
                }
            }
        }
    }
    std::sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a < b; });
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

std::string shown_size(const KernelSize& size)
{
    if (size.time > 0) {
        return shown_time(size.time);
    }
    return size.bytes > 0 ? shown_bytes(static_cast<std::uint64_t>(size.bytes)) : formatted("{:.3g} FLOP", size.flops);
}

}  // namespace lanes
