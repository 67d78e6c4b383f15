// SPDX-License-Identifier: MIT
#include "engine/replay/alone.h"

#include "engine/analysis/facts/sm_room.h"
#include "engine/analysis/graph/kernel_share.h"
#include "engine/replay/traffic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace lanes::replay {

namespace {

constexpr double half = 0.5;
constexpr double most_longer = 8, unsure = 0.01;
constexpr int halvings = 40;
constexpr std::uint64_t most_turns = 256;  // of more it does not matter that they are whole

constexpr Ns longest_tail = 200'000;

/// Of the device, and where the recording does not describe that, of the model device.
GpuRoom room_of(const Device& device, const ModelDevice& table)
{
    auto room = gpu_room(device);
    if (device.compute_major == 0) {
        room.sm = sm_room(table.compute_major, table.compute_minor);
    }
    room.sms = room.sms > 0 ? room.sms : table.multiprocessors;
    return room;
}

/// How a kernel lies beside that collective, which has the higher priority or not.
Crowd crowd_of(const KernelDetail& kernel, const KernelDetail& collective, bool yields, const Device& device,
    const ModelDevice& table)
{
    const auto [room, count] = room_of(device, table);
    const auto taken = std::min<std::uint64_t>(count, blocks_of(collective));
    const auto resident = resident_blocks(kernel, room);
    const auto blocks = blocks_of(kernel);
    // Where some of its blocks fit beside a collective's, that has the room of the others alone.
    const auto beside = blocks_in(room_beside(room, room_of_block(collective)), room_of_block(kernel));
    const auto most = most_turns * resident * count;
    if (taken >= count || blocks > most || beside >= resident) {
        return {};
    }
    const auto lent = static_cast<std::uint32_t>(taken) * (resident - beside);
    return {static_cast<std::uint32_t>(blocks), count * resident - lent, lent, yields};
}

/// A kernel that runs, and how much of it is done.
struct Running {
    Row row;
    Ns end;
    double part;  ///< of the multiprocessors, that it has now
    double done;
};

/// When collectives ran on a device, merged and sorted.
struct Collectives {
    const KernelDetail* kernel = nullptr;  ///< the largest
    std::int32_t priority = 0;  ///< of its stream
    std::vector<Row> rows;  ///< by start
    std::vector<std::pair<Ns, Ns>> times;
};

std::vector<Collectives> find_collectives(const Graph& graph)
{
    const auto& dependencies = graph.dependencies();
    const auto& trace = graph.trace();
    const auto& ops = trace.operations;
    std::vector<Collectives> devices(dependencies.devices);
    std::vector<Row> rows;
    for (const auto& partner : dependencies.partners) {
        rows.push_back(partner.operation);
        rows.push_back(partner.partner);
    }
    std::sort(rows.begin(), rows.end(),
        [&](Row a, Row b) { return std::pair(ops.start[a], a) < std::pair(ops.start[b], b); });
    for (const Row row : rows) {
        auto& device = devices[dependencies.device_of[ops.stream[row]]];
        if (!device.rows.empty() && device.rows.back() == row) {
            continue;
        }
        device.rows.push_back(row);
        const auto& kernel = trace.kernels[ops.detail[row]];
        if (device.kernel == nullptr || blocks_of(kernel) > blocks_of(*device.kernel)) {
            device.kernel = &kernel;
            device.priority = trace.streams[ops.stream[row]].priority;
        }
        if (!device.times.empty() && device.times.back().second >= ops.start[row]) {
            device.times.back().second = std::max(device.times.back().second, ops.end[row]);
        } else {
            device.times.emplace_back(ops.start[row], ops.end[row]);
        }
    }
    return devices;
}

/// What kernels and collectives took from one another while they were recorded is taken out of the kernels' times, and
/// it is found when collectives had their multiprocessors.
void find_crowds(
    const Graph& graph, const ModelDevice& table, const std::vector<const Device*>& device_of, Alone& alone)
{
    const auto& dependencies = graph.dependencies();
    if (dependencies.partners.empty()) {
        return;
    }
    const auto& trace = graph.trace();
    const auto& ops = trace.operations;
    const auto devices = find_collectives(graph);
    alone.crowd.resize(ops.size());
    alone.placed = ops.start;
    for (const Row row : dependencies.operations) {
        const auto& device = devices[dependencies.device_of[ops.stream[row]]];
        if (ops.kind[row] != OperationKind::kernel || alone.share[row] == 0 || device.kernel == nullptr) {
            continue;
        }
        auto& crowd = alone.crowd[row];
        const bool yields = device.priority < trace.streams[ops.stream[row]].priority;
        crowd = crowd_of(trace.kernels[ops.detail[row]], *device.kernel, yields, *device_of[ops.stream[row]], table);
        // Its length alone: that which ends when it did beside the one that ran when it began. Where none does, or
        // where a little more or less would be a turn more or less, nobody knows: it keeps its time.
        const Ns start = ops.start[row];
        const auto over = std::partition_point(
            device.times.begin(), device.times.end(), [&](const auto& time) { return time.second <= start; });
        const bool is_beside = over != device.times.end() && over->first <= start;
        const bool is_met = is_beside || (yields && over != device.times.end() && over->first < ops.end[row]);
        const auto turns_of = [&](double length) {
            Turns turns(crowd, length, is_beside);
            for (auto at = over; is_met && at != device.times.end() && at->first < ops.end[row]; ++at) {
                if (at->first > start && !yields) {
                    break;
                }
                if (at->first > start) {
                    turns.take(static_cast<double>(at->first - start));
                }
                turns.give_back(static_cast<double>(at->second - start));
            }
            return turns;
        };
        const auto is = static_cast<double>(alone.length[row]);
        double least = is / most_longer;
        double most = is;
        for (int i = 0; is_met && i < halvings; ++i) {
            const double middle = (least + most) / 2;
            (turns_of(middle).end() <= is ? least : most) = middle;
        }
        const double length = is_met ? least : is;
        if (turns_of(length * (1 - unsure)).end() < is * (1 - 3 * unsure)
            || turns_of(length * (1 + unsure)).end() > is * (1 + 3 * unsure)) {
            crowd = {};
            continue;
        }
        alone.length[row] = std::max<Ns>(1, std::llround(length));
        auto at = std::partition_point(
            device.rows.begin(), device.rows.end(), [&](Row each) { return ops.start[each] <= start; });
        for (; !yields && at != device.rows.end() && ops.start[*at] < ops.end[row]; ++at) {
            const auto room = start + static_cast<Ns>(turns_of(length).leaves_room());
            auto& placed = alone.placed[*at];
            placed = std::clamp(room, placed, std::max(placed, ops.end[*at]));
        }
    }
}

}  // namespace

float share_of(const KernelDetail& kernel, const Device& device, const ModelDevice& table)
{
    const auto blocks = blocks_of(kernel);
    const auto room = room_of(device, table);
    return blocks == 0 || room_of_block(kernel).threads == 0 || room.sms == 0
        ? 0
        : static_cast<float>(share_of_gpu(kernel, room));
}

Alone find_alone(const Graph& graph, const ModelDevice& table)
{
    const auto& trace = graph.trace();
    const auto& dependencies = graph.dependencies();
    const auto& ops = trace.operations;
    Alone alone;
    alone.tail.resize(ops.size());
    alone.share.resize(ops.size());
    alone.streams.resize(ops.size());
    alone.length.resize(ops.size());
    std::map<StringId, bool> streams;  // by full name
    std::map<std::uint32_t, const Device*> devices;
    for (const auto& device : trace.devices) {
        devices[device.id] = &device;
    }
    const Device unknown {};
    std::vector<const Device*> device_of;  // by stream
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto found = devices.find(trace.streams[stream].device);
        const auto& device = found != devices.end() ? *found->second : unknown;
        device_of.push_back(&device);
        const auto rows = trace.operations_of(stream);
        for (Row row = rows.begin; row < rows.end; ++row) {
            alone.length[row] = ops.end[row] - ops.start[row];
            if (ops.kind[row] == OperationKind::kernel) {
                const auto& kernel = trace.kernels[ops.detail[row]];
                alone.share[row] = share_of(kernel, device, table);
                const auto [known, is_new] = streams.try_emplace(kernel.full_name, false);
                known->second = is_new ? streams_memory(trace.text(kernel.full_name)) : known->second;
                alone.streams[row] = known->second;
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
            double streaming = 0;  // of kernels that stream memory
            for (auto& kernel : kernels) {
                const double share = alone.share[kernel.row];
                const bool ends = now[device] >= kernel.end - alone.tail[kernel.row];
                const bool fits = share < small_share && left + tails >= share;
                kernel.part = fits ? share : std::min(share, left);
                left = std::max(0.0, left - kernel.part);
                tails += ends ? kernel.part : 0;
                streaming += alone.streams[kernel.row] ? kernel.part : 0;
            }
            for (auto& kernel : kernels) {
                const double share = alone.share[kernel.row];
                const double speed
                    = alone.streams[kernel.row] ? speed_beside(kernel.part, share, streaming) : kernel.part / share;
                kernel.done += static_cast<double>(std::max<Ns>(0, until - now[device])) * speed;
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
    find_crowds(graph, table, device_of, alone);
    return alone;
}

}  // namespace lanes::replay
