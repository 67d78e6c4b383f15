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

std::vector<double> pinned_rates(const Trace& trace)
{
    std::vector<double> rate_of(trace.streams.size());
    // Rates of pinned copies over 16 lanes of PCI Express 5, 4 and 3: 55 GB/s was measured on an H100 and an H200; the
    // older ones are a half and a quarter of it, as their lanes are.
    std::map<std::uint32_t, double> rates;
    for (const auto& device : trace.devices) {
        rates[device.id] = device.compute_major == 8 ? 27 : device.compute_major == 7 ? 13.5 : 55;
    }
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
        rate_of[stream] = measured.contains(device) ? measured[device] : rates.contains(device) ? rates[device] : 55;
    }
    return rate_of;
}

}  // namespace lanes
