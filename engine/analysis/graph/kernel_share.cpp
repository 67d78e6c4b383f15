// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/kernel_share.h"

#include <algorithm>

namespace lanes {

namespace {

bool has_size(const KernelDetail& kernel)
{
    return blocks_of(kernel) > 0 && room_of_block(kernel).threads > 0;
}

}  // namespace

double share_of_gpu(const KernelDetail& kernel, const GpuRoom& gpu)
{
    if (gpu.sms == 0 || !has_size(kernel)) {
        return 1;
    }
    const auto slots = std::uint64_t {resident_blocks(kernel, gpu.sm)} * gpu.sms;
    return std::min(1., static_cast<double>(blocks_of(kernel)) / static_cast<double>(slots));
}

double longer_beside(const KernelDetail& kernel, const KernelDetail& guest, const GpuRoom& gpu)
{
    if (gpu.sms == 0 || !has_size(kernel) || !has_size(guest)) {
        return 1;
    }
    const auto blocks = blocks_of(kernel);
    const auto guests = blocks_of(guest);
    const auto each = [&](std::uint64_t sms) { return (blocks + sms - 1) / sms; };
    const auto held
        = static_cast<std::uint32_t>(std::min<std::uint64_t>(each(gpu.sms), resident_blocks(kernel, gpu.sm)));
    auto of_block = room_of_block(kernel);
    for (auto* each_of : {&of_block.threads, &of_block.blocks, &of_block.registers, &of_block.shared_bytes}) {
        *each_of *= held;
    }
    const bool fits = blocks + guests <= gpu.sms || blocks_in(room_beside(gpu.sm, of_block), room_of_block(guest)) > 0;
    const auto left = gpu.sms - std::min<std::uint64_t>(guests, gpu.sms - 1);
    return fits ? 1 : static_cast<double>(each(left)) / static_cast<double>(each(gpu.sms));
}

}  // namespace lanes
