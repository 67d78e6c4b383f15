// SPDX-License-Identifier: MIT
#include "engine/workload/caching_allocator.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr std::uint64_t mib = 1U << 20U;
constexpr std::uint64_t smallest_block = 512;
constexpr std::uint64_t most_of_small = mib;
constexpr std::uint64_t small_segment = 2 * mib;
constexpr std::uint64_t least_of_own = 10 * mib;
constexpr std::uint64_t shared_segment = 20 * mib;
constexpr std::uint64_t own_unit = 2 * mib;

std::uint64_t rounded(std::uint64_t bytes, std::uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

std::uint64_t segment_for(std::uint64_t bytes)
{
    return bytes <= most_of_small ? small_segment : bytes < least_of_own ? shared_segment : rounded(bytes, own_unit);
}

}  // namespace

CachingAllocator::Answer CachingAllocator::take(std::uint64_t stream, std::uint64_t bytes)
{
    bytes = rounded(bytes, smallest_block);
    Answer answer;
    answer.place = find(stream, bytes);
    if (answer.place) {
        return answer;
    }
    const std::uint64_t wanted = segment_for(bytes);
    const auto fits = [&] { return m_limit == 0 || m_reserved + wanted <= m_limit; };
    if (!fits()) {
        answer.released = release_unused();
    }
    if (fits()) {
        m_segments[m_next++] = {stream, wanted, bytes <= most_of_small, {{0, {wanted, false}}}};
        m_reserved += wanted;
        answer.made = wanted;
        answer.place = find(stream, bytes);
    }
    return answer;
}

void CachingAllocator::give_back(Place place)
{
    auto& blocks = m_segments.at(place.segment).blocks;
    auto block = blocks.find(place.offset);
    block->second.used = false;
    const auto join_next = [&](std::map<std::uint64_t, Block>::iterator first) {
        const auto next = std::next(first);
        if (next != blocks.end() && !first->second.used && !next->second.used) {
            first->second.bytes += next->second.bytes;
            blocks.erase(next);
        }
    };
    join_next(block);
    if (block != blocks.begin()) {
        join_next(std::prev(block));
    }
}

std::optional<CachingAllocator::Place> CachingAllocator::find(std::uint64_t stream, std::uint64_t bytes)
{
    const bool small = bytes <= most_of_small;
    std::map<std::uint64_t, Block>* best_blocks = nullptr;
    std::map<std::uint64_t, Block>::iterator best;
    Place place {};
    for (auto& [segment, held] : m_segments) {
        if (held.stream != stream || held.small != small) {
            continue;
        }
        for (auto block = held.blocks.begin(); block != held.blocks.end(); ++block) {
            if (!block->second.used && block->second.bytes >= bytes
                && (best_blocks == nullptr || block->second.bytes < best->second.bytes)) {
                best_blocks = &held.blocks;
                best = block;
                place = {segment, block->first};
            }
        }
    }
    if (best_blocks == nullptr) {
        return std::nullopt;
    }
    best->second.used = true;
    const std::uint64_t left = best->second.bytes - bytes;
    if (small ? left >= smallest_block : left > most_of_small) {
        best->second.bytes = bytes;
        best_blocks->emplace(best->first + bytes, Block {left, false});
    }
    return place;
}

std::vector<CachingAllocator::Released> CachingAllocator::release_unused()
{
    std::vector<Released> released;
    std::erase_if(m_segments, [&](const auto& entry) {
        const auto& [segment, held] = entry;
        const bool unused = held.blocks.size() == 1 && !held.blocks.begin()->second.used;
        if (unused) {
            released.push_back({segment, held.bytes});
            m_reserved -= held.bytes;
        }
        return unused;
    });
    return released;
}

}  // namespace lanes
