// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/pinned_rates.h"

#include <algorithm>
#include <map>

namespace lanes {

namespace {

constexpr std::uint64_t large_copy = 1 << 20;

bool is_pinned(MemoryKind kind)
{
    return kind == MemoryKind::pinned;
}

}  // namespace

LinkRates link_rates(const Trace& trace, std::uint32_t device)
{
    // 16 lanes of PCI Express 5 gave 40 to 55 GB/s on hosts of H100s and H200s. Those of 4 and 3 have a half and a
    // quarter of its rate.
    constexpr LinkRates fifth {55, 40};
    constexpr LinkRates fourth {27, 20};
    constexpr LinkRates third {13.5, 10};
    constexpr LinkRates any {fifth.most, third.least};
    const auto found = std::find_if(
        trace.devices.begin(), trace.devices.end(), [&](const Device& each) { return each.id == device; });
    // Versions of AMD's GPUs are no compute capabilities: 9 has PCI Express 4 or 5.
    if (found == trace.devices.end() || found->compute_major == 0 || trace.text(found->name).starts_with("AMD")) {
        return any;
    }
    return found->compute_major >= 9 ? fifth : found->compute_major == 8 ? fourth : third;
}

std::vector<double> pinned_rates(const Trace& trace)
{
    std::vector<double> rate_of(trace.streams.size());
    std::map<std::uint32_t, double> measured;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto rows = trace.operations_of(stream);
        for (Row row = rows.begin; row < rows.end; ++row) {
            const auto kind = trace.operations.kind[row];
            if (kind != OperationKind::h2d && kind != OperationKind::d2h) {
                continue;
            }
            const auto& copy = trace.copies[trace.operations.detail[row]];
            const Ns length = trace.operations.end[row] - trace.operations.start[row];
            if (copy.bytes >= large_copy && length > 0 && (is_pinned(copy.source) || is_pinned(copy.target))) {
                auto& rate = measured[trace.streams[stream].device];
                rate = std::max(rate, static_cast<double>(copy.bytes) / static_cast<double>(length));
            }
        }
    }
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto device = trace.streams[stream].device;
        rate_of[stream] = measured.contains(device) ? measured[device] : link_rates(trace, device).most;
    }
    return rate_of;
}

}  // namespace lanes
