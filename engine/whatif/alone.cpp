// SPDX-License-Identifier: MIT
#include "engine/whatif/alone.h"

#include <algorithm>
#include <array>
#include <map>

namespace lanes::whatif {

namespace {

/// What a multiprocessor holds at once.
struct Room {
    std::uint32_t threads, blocks, shared_bytes;
};

Room room_of(std::uint32_t major, std::uint32_t minor)
{
    constexpr std::uint32_t kib = 1024;
    switch (major * 10 + minor) {
    case 70:
        return {2048, 32, 96 * kib};
    case 75:
        return {1024, 16, 64 * kib};
    case 80:
        return {2048, 32, 164 * kib};
    case 86:
    case 89:
        return {1536, major * 10 + minor == 86 ? 16U : 24U, 100 * kib};
    case 87:
        return {1536, 16, 164 * kib};
    case 120:
    case 121:
        return {1536, 24, 100 * kib};
    default:
        return {2048, 32, 228 * kib};
    }
}

constexpr std::uint32_t registers_held = 65536, warp = 32, block_overhead = 1024;
constexpr double half = 0.5;
constexpr Ns longest_tail = 200'000;

/// A kernel that runs, and how much of it is done.
struct Running {
    Row row;
    Ns end;
    double part;  ///< of the multiprocessors, that it has now
    double done;
};

}  // namespace

float share_of(const KernelDetail& kernel, const Device& device, const ModelDevice& table)
{
    const auto room = device.compute_major > 0 ? room_of(device.compute_major, device.compute_minor)
                                               : room_of(table.compute_major, table.compute_minor);
    const auto count = device.multiprocessors > 0 ? device.multiprocessors : table.multiprocessors;
    std::uint64_t blocks = 1;
    std::uint32_t threads = 1;
    for (std::size_t i = 0; i < kernel.grid.size(); ++i) {
        blocks *= kernel.grid[i];
        threads *= kernel.block[i];
    }
    threads = (threads + warp - 1) / warp * warp;
    if (blocks == 0 || threads == 0 || count == 0) {
        return 0;
    }
    std::uint32_t resident = std::min(room.blocks, room.threads / threads);
    if (kernel.registers > 0) {
        const auto rounded = (kernel.registers + 7) / 8 * 8;  // registers are given in eights
        resident = std::min(resident, registers_held / std::max(1U, rounded * threads));
    }
    const auto shared = kernel.static_shared + kernel.dynamic_shared;
    resident = std::min(resident, room.shared_bytes / (shared + block_overhead));
    const double slots = static_cast<double>(std::max(1U, resident)) * count;
    return static_cast<float>(std::min(1.0, static_cast<double>(blocks) / slots));
}

Alone find_alone(const Graph& graph, const ModelDevice& table)
{
    const auto& trace = graph.trace();
    const auto& dependencies = graph.dependencies();
    const auto& ops = trace.operations;
    Alone alone;
    alone.tail.resize(ops.size());
    alone.share.resize(ops.size());
    alone.length.resize(ops.size());
    std::map<std::uint32_t, const Device*> devices;
    for (const auto& device : trace.devices) {
        devices[device.id] = &device;
    }
    const Device unknown {};
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto found = devices.find(trace.streams[stream].device);
        const auto& device = found != devices.end() ? *found->second : unknown;
        const auto rows = trace.operations_of(stream);
        for (Row row = rows.begin; row < rows.end; ++row) {
            alone.length[row] = ops.end[row] - ops.start[row];
            if (ops.kind[row] == OperationKind::kernel) {
                alone.share[row] = share_of(trace.kernels[ops.detail[row]], device, table);
            }
        }
    }
    for (const auto& partner : dependencies.partners) {
        alone.share[partner.operation] = alone.share[partner.partner] = 0;
    }
    for (Row row = 0; row < ops.size(); ++row) {
        if (graph.starts().cause(row) == StartCause::multiprocessors && alone.share[row] < small_share) {
            const Row before = graph.starts().after(row);
            alone.tail[before] = std::max(alone.tail[before],
                std::min({ops.end[before] - ops.start[row], (ops.end[before] - ops.start[before]) / 2, longest_tail}));
        }
    }

    // Kernels: by device, those that run, in the order in which they began.
    std::vector<std::vector<Running>> running(dependencies.devices);
    std::vector<Ns> now(dependencies.devices, 0);
    const auto advance = [&](std::size_t device, Ns to) {
        auto& kernels = running[device];
        while (!kernels.empty()) {
            const auto next = std::min_element(
                kernels.begin(), kernels.end(), [](const Running& a, const Running& b) { return a.end < b.end; });
            Ns until = std::min(to, next->end);
            for (const auto& kernel : kernels) {
                const Ns tail = kernel.end - alone.tail[kernel.row];
                until = tail > now[device] ? std::min(until, tail) : until;
            }
            double left = 1;
            double tails = 0;  // room for small ones
            for (auto& kernel : kernels) {
                const double share = alone.share[kernel.row];
                const bool ends = now[device] >= kernel.end - alone.tail[kernel.row];
                const bool fits = share < small_share && left + tails >= share;
                kernel.part = fits ? share : std::min(share, left);
                left = std::max(0.0, left - kernel.part);
                tails += ends ? kernel.part : 0;
                kernel.done += static_cast<double>(std::max<Ns>(0, until - now[device])) * kernel.part / share;
            }
            now[device] = std::max(now[device], until);
            if (next->end > until) {
                if (until >= to) {
                    break;
                }
                continue;
            }
            const auto length = ops.end[next->row] - ops.start[next->row];
            if (next->done >= half * static_cast<double>(length)) {
                alone.length[next->row] = std::min(length, static_cast<Ns>(next->done + half));
            } else {
                alone.share[next->row] = 0;  // it ran beside what should have left it no room
            }
            kernels.erase(next);
        }
        now[device] = std::max(now[device], to);
    };
    // Copies: by device, until when those of either direction run; what of a copy had the other direction beside it.
    std::vector<std::array<Row, 2>> copying(dependencies.devices, {no_row, no_row});
    std::vector<Ns> beside(ops.size() > 0 ? ops.size() : 0);
    for (const Row row : dependencies.operations) {
        const auto device = dependencies.device_of[ops.stream[row]];
        const auto kind = ops.kind[row];
        if (kind == OperationKind::kernel && alone.share[row] > 0) {
            advance(device, ops.start[row]);
            running[device].push_back({row, ops.end[row], 0, 0});
        } else if (kind == OperationKind::h2d || kind == OperationKind::d2h) {
            const std::size_t own = kind == OperationKind::h2d ? 0 : 1;
            const Row other = copying[device][1 - own];
            if (other != no_row && ops.end[other] > ops.start[row]) {
                const Ns both = std::min(ops.end[other], ops.end[row]) - ops.start[row];
                beside[row] += both;
                beside[other] += both;
            }
            if (copying[device][own] == no_row || ops.end[row] > ops.end[copying[device][own]]) {
                copying[device][own] = row;
            }
        }
    }
    for (std::size_t device = 0; device < running.size(); ++device) {
        Ns last = now[device];
        for (const auto& kernel : running[device]) {
            last = std::max(last, kernel.end);
        }
        advance(device, last);
    }
    for (Row row = 0; row < ops.size(); ++row) {
        if (beside[row] > 0) {
            const double kept = ops.kind[row] == OperationKind::h2d ? table.h2d_duplex : table.d2h_duplex;
            const Ns length = alone.length[row];
            const Ns both = std::min(beside[row], length);
            alone.length[row] = length - both + static_cast<Ns>(static_cast<double>(both) * kept);
        }
    }
    return alone;
}

}  // namespace lanes::whatif
