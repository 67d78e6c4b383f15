// SPDX-License-Identifier: MIT
#include "engine/workload/collective.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace lanes {

std::vector<CollectivePart> parts_of(const CollectiveAction& action, std::uint64_t bytes)
{
    const auto count = static_cast<std::uint32_t>(action.buffers.size());
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0U);
    switch (action.kind) {
    case CollectiveKind::all_reduce:
        return {{0, bytes, all, all}};
    case CollectiveKind::broadcast:
    case CollectiveKind::send_recv:
        return {{0, bytes, {0}, {all.begin() + 1, all.end()}}};
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
        break;
    }
    std::vector<CollectivePart> parts;
    for (const std::uint32_t rank : all) {
        CollectivePart part {rank * (bytes / count), bytes / count, {rank}, all};
        if (action.kind == CollectiveKind::reduce_scatter) {
            std::swap(part.from, part.to);
        } else {
            std::erase(part.to, rank);
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

double traffic_of(CollectiveKind kind, std::size_t ranks)
{
    const double others = static_cast<double>(ranks - 1) / static_cast<double>(ranks);
    switch (kind) {
    case CollectiveKind::all_reduce:
        return 2 * others;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
        return others;
    case CollectiveKind::broadcast:
    case CollectiveKind::send_recv:
        break;
    }
    return 1;
}

namespace {

constexpr CollectiveNames names[] = {
    {"all_reduce", "nccl all_reduce", "ncclDevKernel_AllReduce_Sum_f64_RING_LL"},
    {"all_gather", "nccl all_gather", "ncclDevKernel_AllGather_RING_LL"},
    {"reduce_scatter", "nccl reduce_scatter", "ncclDevKernel_ReduceScatter_Sum_f64_RING_LL"},
    {"broadcast", "nccl broadcast", "ncclDevKernel_Broadcast_RING_LL"},
    {"send_recv", "nccl send_recv", "ncclDevKernel_SendRecv"},
};
static_assert(std::size(names) == static_cast<std::size_t>(CollectiveKind::send_recv) + 1);

}  // namespace

const CollectiveNames& names_of(CollectiveKind kind)
{
    return names[static_cast<std::size_t>(kind)];
}

CollectiveKind collective_named(std::string_view step)
{
    const auto* const found = std::ranges::find(names, step, &CollectiveNames::step);
    return static_cast<CollectiveKind>(found - names);
}

}  // namespace lanes
