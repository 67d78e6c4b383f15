// SPDX-License-Identifier: MIT
#include "engine/replay/changes/repeats.h"

#include "engine/trace/median.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <utility>

namespace lanes::replay::changes {

namespace {

constexpr std::size_t longest_sequence = 32'768;
constexpr std::size_t most_sequences = 16;
constexpr std::size_t times_in_a_row = 3;

/// The hash of each stretch of `width` things, by its first: a polynomial, modulo 2^64.
std::vector<std::uint64_t> hashes_of(const std::vector<std::uint32_t>& things, std::size_t width)
{
    constexpr std::uint64_t base = 0x9E37'79B9'7F4A'7C15;
    std::vector<std::uint64_t> hashes;
    if (things.size() < width) {
        return hashes;
    }
    std::uint64_t power = 1;  // base^(width - 1)
    for (std::size_t i = 1; i < width; ++i) {
        power *= base;
    }
    std::uint64_t hash = 0;
    hashes.reserve(things.size() - width + 1);
    for (std::size_t i = 0; i < things.size(); ++i) {
        if (i >= width) {
            hash -= (things[i - width] + std::uint64_t {1}) * power;
        }
        hash = hash * base + things[i] + 1;
        if (i + 1 >= width) {
            hashes.push_back(hash);
        }
    }
    return hashes;
}

/// Adds the distances at which stretches of `width` things come again most often.
void add_distances(const std::vector<std::uint32_t>& things, std::size_t width, std::vector<std::uint32_t>& distances)
{
    constexpr std::size_t most = 3;
    const auto hashes = hashes_of(things, width);
    if (hashes.empty()) {
        return;
    }
    const std::size_t places = std::bit_ceil(2 * hashes.size());
    constexpr std::uint64_t spread = 0xD6E8'FEB8'6659'FD93;
    const int shift = 64 - std::countr_zero(places);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> last(places);  // hash, place + 1
    std::vector<std::uint32_t> votes(std::min(longest_sequence, things.size()) + 1);
    for (std::uint32_t i = 0; i < hashes.size(); ++i) {
        auto& before = last[places > 1 ? (hashes[i] * spread) >> shift : 0];
        if (before.second > 0 && before.first == hashes[i] && i + 1 - before.second < votes.size()) {
            ++votes[i + 1 - before.second];
        }
        before = {hashes[i], i + 1};
    }
    for (std::size_t n = 0; n < most; ++n) {
        const auto best = std::max_element(votes.begin(), votes.end());
        if (*best == 0) {
            return;
        }
        distances.push_back(static_cast<std::uint32_t>(best - votes.begin()));
        *best = 0;
    }
}

/// Where things are those of `period` before, three times in a row or more.
struct Stretches {
    std::uint32_t period = 0;
    std::size_t things = 0;  ///< in all of them
    std::size_t from = 0, to = 0;  ///< the longest
};

Stretches stretches_of(const std::vector<std::uint32_t>& things, std::uint32_t period)
{
    Stretches found {period};
    std::size_t from = 0;
    for (std::size_t i = period; i <= things.size(); ++i) {
        if (i < things.size() && things[i] == things[i - period]) {
            continue;
        }
        if (i - from >= times_in_a_row * period) {
            found.things += i - from;
            if (i - from > found.to - found.from) {
                found.from = from;
                found.to = i;
            }
        }
        from = i + 1 - period;
    }
    return found;
}

/// The period that most things come again after; of two that are about as good, the shorter.
std::optional<Stretches> best_of(const std::vector<std::uint32_t>& things)
{
    constexpr std::array<std::size_t, 5> widths {1, 4, 32, 256, 2048};
    constexpr std::size_t better = 100;  // by a hundredth of all things
    std::vector<std::uint32_t> distances;
    for (const auto width : widths) {
        add_distances(things, width, distances);
    }
    std::sort(distances.begin(), distances.end());
    distances.erase(std::unique(distances.begin(), distances.end()), distances.end());
    std::optional<Stretches> best;
    for (const auto distance : distances) {
        const auto found = stretches_of(things, distance);
        if (found.things > (best ? best->things + things.size() / better : 0)) {
            best = found;
        }
    }
    return best;
}

/// Where in the stretch a sequence begins: where the thread did other things for longest before, in the median.
std::size_t begin_in(const Stretches& stretch, const std::vector<Ns>& idle)
{
    std::size_t begin = stretch.from;
    Ns longest = -1;
    std::vector<Ns> times;
    for (std::size_t first = stretch.from; first < stretch.from + stretch.period; ++first) {
        times.clear();
        for (auto at = first; at < stretch.to; at += stretch.period) {
            times.push_back(idle[at]);
        }
        if (const Ns middle = nth_part(times, 1, 2); middle > longest) {
            longest = middle;
            begin = first;
        }
    }
    return begin;
}

/// Everywhere the `length` things from `begin` on come.
Repeats all_of(const std::vector<std::uint32_t>& things, std::size_t begin, std::uint32_t length)
{
    Repeats repeats {length, {}};
    const auto hashes = hashes_of(things, length);
    const auto same = [&](std::size_t at) {
        return hashes[at] == hashes[begin]
            && std::equal(things.begin() + static_cast<std::ptrdiff_t>(begin),
                things.begin() + static_cast<std::ptrdiff_t>(begin + length),
                things.begin() + static_cast<std::ptrdiff_t>(at));
    };
    for (std::size_t at = 0; at < hashes.size();) {
        if (same(at)) {
            repeats.begins.push_back(static_cast<std::uint32_t>(at));
            at += length;
        } else {
            ++at;
        }
    }
    return repeats;
}

}  // namespace

std::vector<Repeats> find_repeats(std::vector<std::uint32_t> things, const std::vector<Ns>& idle, std::uint32_t least)
{
    std::vector<Repeats> found;
    std::uint32_t unlike = things.empty() ? 0 : *std::max_element(things.begin(), things.end()) + 1;
    for (std::size_t n = 0; n < most_sequences; ++n) {
        const auto best = best_of(things);
        if (!best) {
            break;
        }
        const auto times = std::max(1U, (least + best->period - 1) / best->period);
        const auto length = times * best->period;
        const auto begin = begin_in(*best, idle);
        const bool is_worth_it = begin + 2 * std::size_t {length} <= best->to || times == 1;
        auto repeats = is_worth_it ? all_of(things, begin, length) : Repeats {};
        if (repeats.begins.empty()) {  // not again
            for (auto at = best->from; at < best->to; ++at) {
                things[at] = unlike++;
            }
            continue;
        }
        for (const auto from : repeats.begins) {
            for (auto at = from; at < from + length; ++at) {
                things[at] = unlike++;
            }
        }
        found.push_back(std::move(repeats));
    }
    return found;
}

}  // namespace lanes::replay::changes
