// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/sm_room.h"

#include <algorithm>
#include <array>

namespace lanes {

namespace {

constexpr std::uint32_t kib = 1024, sm_registers = 64 * kib, warp = 32, register_unit = 8, shared_of_driver = kib;

struct SmSize {
    std::uint32_t major, minor;
    SmRoom room;
};
constexpr std::array<SmSize, 19> sm_sizes {{
    {5, 0, {2048, 32, sm_registers, 64 * kib}},
    {5, 2, {2048, 32, sm_registers, 96 * kib}},
    {5, 3, {2048, 32, sm_registers, 64 * kib}},
    {6, 0, {2048, 32, sm_registers, 64 * kib}},
    {6, 1, {2048, 32, sm_registers, 96 * kib}},
    {6, 2, {2048, 32, sm_registers, 64 * kib}},
    {7, 0, {2048, 32, sm_registers, 96 * kib}},
    {7, 2, {2048, 32, sm_registers, 96 * kib}},
    {7, 5, {1024, 16, sm_registers, 64 * kib}},
    {8, 0, {2048, 32, sm_registers, 164 * kib}},
    {8, 6, {1536, 16, sm_registers, 100 * kib}},
    {8, 7, {1536, 16, sm_registers, 164 * kib}},
    {8, 9, {1536, 24, sm_registers, 100 * kib}},
    {9, 0, {2048, 32, sm_registers, 228 * kib}},
    {10, 0, {2048, 32, sm_registers, 228 * kib}},
    {10, 3, {2048, 32, sm_registers, 228 * kib}},
    {11, 0, {1536, 24, sm_registers, 228 * kib}},
    {12, 0, {1536, 24, sm_registers, 100 * kib}},
    {12, 1, {1536, 24, sm_registers, 100 * kib}},
}};
constexpr SmRoom largest_sm {2048, 32, sm_registers, 228 * kib};

constexpr std::uint32_t rounded_up(std::uint32_t number, std::uint32_t unit)
{
    return (number + unit - 1) / unit * unit;
}

}  // namespace

SmRoom sm_room(std::uint32_t compute_major, std::uint32_t compute_minor)
{
    const auto* const found = std::find_if(sm_sizes.begin(), sm_sizes.end(),
        [&](const SmSize& size) { return size.major == compute_major && size.minor == compute_minor; });
    return found == sm_sizes.end() ? largest_sm : found->room;
}

GpuRoom gpu_room(const Device& device)
{
    return {sm_room(device.compute_major, device.compute_minor), device.multiprocessors};
}

GpuRoom gpu_room(const Trace& trace, std::uint32_t device)
{
    const auto found = std::find_if(
        trace.devices.begin(), trace.devices.end(), [&](const Device& each) { return each.id == device; });
    return found == trace.devices.end() ? GpuRoom {largest_sm, 0} : gpu_room(*found);
}

std::uint64_t blocks_of(const KernelDetail& kernel)
{
    return std::uint64_t {kernel.grid[0]} * kernel.grid[1] * kernel.grid[2];
}

std::uint64_t threads_of(const KernelDetail& kernel)
{
    return blocks_of(kernel) * kernel.block[0] * kernel.block[1] * kernel.block[2];
}

SmRoom room_of_block(const KernelDetail& kernel)
{
    const auto threads = rounded_up(kernel.block[0] * kernel.block[1] * kernel.block[2], warp);
    return {threads, 1, rounded_up(kernel.registers, register_unit) * threads,
        kernel.static_shared + kernel.dynamic_shared + shared_of_driver};
}

std::uint32_t blocks_in(const SmRoom& room, const SmRoom& block)
{
    const auto fit = std::min({room.blocks, room.threads / std::max(1U, block.threads),
        room.shared_bytes / std::max(1U, block.shared_bytes)});
    return block.registers == 0 ? fit : std::min(fit, room.registers / block.registers);
}

std::uint32_t resident_blocks(const KernelDetail& kernel, const SmRoom& room)
{
    return std::max(1U, blocks_in(room, room_of_block(kernel)));
}

SmRoom room_beside(const SmRoom& room, const SmRoom& taken)
{
    const auto left = [](std::uint32_t of, std::uint32_t part) { return of - std::min(of, part); };
    return {left(room.threads, taken.threads), left(room.blocks, taken.blocks), left(room.registers, taken.registers),
        left(room.shared_bytes, taken.shared_bytes)};
}

}  // namespace lanes
