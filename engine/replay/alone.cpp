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

/// By stream.
std::vector<const Device*> devices_of_streams(const Trace& trace)
{
    static const Device unknown {};
    std::map<std::uint32_t, const Device*> devices;
    for (const auto& device : trace.devices) {
        devices[device.id] = &device;
    }
    std::vector<const Device*> device_of;
    for (const auto& stream : trace.streams) {
        const auto found = devices.find(stream.device);
        device_of.push_back(found != devices.end() ? found->second : &unknown);
    }
    return device_of;
}

/// Lengths as recorded; of kernels also their shares, and whether they stream memory.
void read_operations(
    const Graph& graph, const ModelDevice& table, const std::vector<const Device*>& device_of, Alone& alone)
{
    const auto& trace = graph.trace();
    const auto& ops = trace.operations;
    alone.tail.resize(ops.size());
    alone.share.resize(ops.size());
    alone.streams.resize(ops.size());
    alone.length.resize(ops.size());
    std::map<StringId, bool> streams;  // by full name
    for (Row row = 0; row < ops.size(); ++row) {
        alone.length[row] = ops.end[row] - ops.start[row];
        if (ops.kind[row] == OperationKind::kernel) {
            const auto& kernel = trace.kernels[ops.detail[row]];
            alone.share[row] = share_of(kernel, *device_of[ops.stream[row]], table);
            const auto [known, is_new] = streams.try_emplace(kernel.full_name, false);
            known->second = is_new ? streams_memory(trace.text(kernel.full_name)) : known->second;
            alone.streams[row] = known->second;
        }
    }
    for (const auto& partner : graph.dependencies().partners) {
        alone.share[partner.operation] = alone.share[partner.partner] = 0;
    }
}

/// A small kernel that began when another made room for it tells when that one's last blocks did.
void find_tails(const Graph& graph, Alone& alone)
{
    const auto& ops = graph.trace().operations;
    for (Row row = 0; row < ops.size(); ++row) {
        if (graph.starts().cause(row) == StartCause::multiprocessors && alone.share[row] < small_share) {
            const Row before = graph.starts().after(row);
            alone.tail[before] = std::max(alone.tail[before],
                std::min({ops.end[before] - ops.start[row], (ops.end[before] - ops.start[before]) / 2, longest_tail}));
        }
    }
}

/// A kernel that runs, and how much of it is done.
struct Running {
    Row row;
    Ns end;
    double part;  ///< of the multiprocessors, that it has now
    double done;
};

/// The kernels that run on a device, in the order in which they began, and until when it is known what they did.
struct KernelsOfDevice {
    std::vector<Running> running;
    Ns now = 0;
};

/// Until when, `to` at the latest, each keeps the part that it has: then one ends, or leaves room for small ones.
Ns parts_change(const KernelsOfDevice& kernels, const Alone& alone, Ns to)
{
    Ns until = to;
    for (const auto& kernel : kernels.running) {
        const Ns tail = kernel.end - alone.tail[kernel.row];
        until = std::min(until, kernel.end);
        until = tail > kernels.now ? std::min(until, tail) : until;
    }
    return until;
}

/// Gives each its part of the multiprocessors. Returns the parts of those that stream memory.
double give_parts(KernelsOfDevice& kernels, const Alone& alone)
{
    double left = 1;
    double tails = 0;  // room for small ones
    double streaming = 0;
    for (auto& kernel : kernels.running) {
        const double share = alone.share[kernel.row];
        const bool ends = kernels.now >= kernel.end - alone.tail[kernel.row];
        const bool fits = share < small_share && left + tails >= share;
        kernel.part = fits ? share : std::min(share, left);
        left = std::max(0.0, left - kernel.part);
        tails += ends ? kernel.part : 0;
        streaming += alone.streams[kernel.row] ? kernel.part : 0;
    }
    return streaming;
}

/// What each does until then with its part.
void work_until(KernelsOfDevice& kernels, const Alone& alone, Ns until)
{
    const double streaming = give_parts(kernels, alone);
    for (auto& kernel : kernels.running) {
        const double share = alone.share[kernel.row];
        const double speed
            = alone.streams[kernel.row] ? speed_beside(kernel.part, share, streaming) : kernel.part / share;
        kernel.done += static_cast<double>(std::max<Ns>(0, until - kernels.now)) * speed;
    }
    kernels.now = std::max(kernels.now, until);
}

/// Those that end until then take as long alone as they did work.
void advance(KernelsOfDevice& kernels, Ns to, const OperationTable& ops, Alone& alone)
{
    auto& running = kernels.running;
    while (!running.empty()) {
        const auto next = std::min_element(
            running.begin(), running.end(), [](const Running& a, const Running& b) { return a.end < b.end; });
        const Ns until = parts_change(kernels, alone, to);
        work_until(kernels, alone, until);
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
        running.erase(next);
    }
    kernels.now = std::max(kernels.now, to);
}

/// What kernels lost to one another is taken out of their lengths.
void take_out_kernels(const Graph& graph, Alone& alone)
{
    const auto& dependencies = graph.dependencies();
    const auto& ops = graph.trace().operations;
    std::vector<KernelsOfDevice> devices(dependencies.devices);
    for (const Row row : dependencies.operations) {
        if (ops.kind[row] == OperationKind::kernel && alone.share[row] > 0) {
            auto& kernels = devices[dependencies.device_of[ops.stream[row]]];
            advance(kernels, ops.start[row], ops, alone);
            kernels.running.push_back({row, ops.end[row], 0, 0});
        }
    }
    for (auto& kernels : devices) {
        Ns last = kernels.now;
        for (const auto& kernel : kernels.running) {
            last = std::max(last, kernel.end);
        }
        advance(kernels, last, ops, alone);
    }
}

/// How long each copy had one of the other direction beside it on its device.
std::vector<Ns> times_beside(const Graph& graph)
{
    const auto& dependencies = graph.dependencies();
    const auto& ops = graph.trace().operations;
    std::vector<std::array<Row, 2>> copying(dependencies.devices, {no_row, no_row});  // of each direction, ends last
    std::vector<Ns> beside(ops.size());
    for (const Row row : dependencies.operations) {
        const auto kind = ops.kind[row];
        if (kind != OperationKind::h2d && kind != OperationKind::d2h) {
            continue;
        }
        auto& copies = copying[dependencies.device_of[ops.stream[row]]];
        const std::size_t own = kind == OperationKind::h2d ? 0 : 1;
        const Row other = copies[1 - own];
        if (other != no_row && ops.end[other] > ops.start[row]) {
            const Ns both = std::min(ops.end[other], ops.end[row]) - ops.start[row];
            beside[row] += both;
            beside[other] += both;
        }
        if (copies[own] == no_row || ops.end[row] > ops.end[copies[own]]) {
            copies[own] = row;
        }
    }
    return beside;
}

/// What copies lost to those of the other direction is taken out of their lengths.
void take_out_duplex(const Graph& graph, const ModelDevice& table, Alone& alone)
{
    const auto& ops = graph.trace().operations;
    const auto beside = times_beside(graph);
    for (Row row = 0; row < ops.size(); ++row) {
        if (beside[row] > 0) {
            const double kept = ops.kind[row] == OperationKind::h2d ? table.h2d_duplex : table.d2h_duplex;
            const Ns length = alone.length[row];
            const Ns both = std::min(beside[row], length);
            alone.length[row] = length - both + static_cast<Ns>(static_cast<double>(both) * kept);
        }
    }
}

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
    Alone alone;
    const auto device_of = devices_of_streams(graph.trace());
    read_operations(graph, table, device_of, alone);
    find_tails(graph, alone);
    take_out_kernels(graph, alone);
    take_out_duplex(graph, table, alone);
    find_crowds(graph, table, device_of, alone);
    return alone;
}

}  // namespace lanes::replay
