// SPDX-License-Identifier: MIT
// Loops in a sequence of symbols, such as the names of what a stream ran: the sequences that come once in each
// iteration tell its iterations apart. So what a loop does only every tenth time (it logs, it evaluates) does not make
// an iteration ten times as long, and iterations may differ.
//
// A sequence of one, two or four symbols is a mark of a loop if three of four distances from one occurrence to the next
// are near their median (from 3/4 to 4/3 of it). Marks with the same distance, within 5 %, are of one loop. Most marks
// of a loop occur equally often: that is its number of iterations, and the first of these marks is where they start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanes {

using Symbol = std::uint64_t;

struct Loop {
    std::size_t period = 0;  ///< the median distance of two starts
    std::vector<std::size_t> starts;  ///< of its iterations, three or more; indexes of symbols, ascending
    std::size_t end = 0;  ///< of the last one: after a period, without what no other iteration has as often at its end

    /// Where an iteration ends: at the start of the next one, or after a period if that comes much later.
    std::size_t end_of(std::size_t iteration) const;
};

/// Whether a distance is from 3/4 to 4/3 of the median one.
constexpr bool is_near(std::size_t distance, std::size_t median)
{
    return 4 * distance >= 3 * median && 3 * distance <= 4 * median;
}

/// The loops, the shortest period first; they may be within one another. The iterations of a loop have half of all the
/// weight or more, and half of an iteration's symbols come again in the next one. `weights` are of the symbols. Periods
/// of up to 32,768 symbols are found. Cost: linear in the symbols and in what is found; n log n in the 65,536 in the
/// middle.
std::vector<Loop> find_loops(const std::vector<Symbol>& symbols, const std::vector<std::uint32_t>& weights);

}  // namespace lanes
