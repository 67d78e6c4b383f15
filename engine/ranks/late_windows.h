// SPDX-License-Identifier: MIT
// The time in which a late GPU is compared with the others of its group, to find why it is late.
#pragma once

#include "engine/ranks/late_ranks.h"
#include "engine/trace/median.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace lanes {

/// Pairs of collectives of its group, into Collectives::all: the time is from each rank's start of one to its start of
/// the other. Of a GPU that stands out: the first one in `range` and the last one, as lateness adds up over the
/// collectives of a step. Of one that was seldom late: for each such time, the one before it and the last one of it.
/// Cost: linear in the collectives.
std::vector<std::pair<std::size_t, std::size_t>> late_windows(
    const Trace& trace, const Collectives& collectives, const LateRank& late, Interval range);

/// Summed over late_windows().
template <class Figures> struct AgainstOthers {
    Figures more = {};  ///< that the late GPU had than usual
    Figures usual = {};  ///< the medians of the others of its group that are not late with it
};

/// `figures`: members of Figures, numbers. `between(from, to)`: those of one GPU, from the start of one of its kernels
/// to the start of another. Cost: that of `between` for each GPU of the group and each window.
template <class Figures, class Number, std::size_t count, class Between>
AgainstOthers<Figures> against_others(const Trace& trace, const Collectives& collectives, const LateRank& late,
    Interval range, const std::array<Number Figures::*, count>& figures, const Between& between)
{
    const auto device = [&](Row row) { return trace.streams[trace.operations.stream[row]].device; };
    AgainstOthers<Figures> sums;
    for (const auto& [from, to] : late_windows(trace, collectives, late, range)) {
        std::map<std::uint32_t, Row> begins;
        for (const Row row : collectives.all[from].kernels) {
            begins[device(row)] = row;
        }
        Figures own = {};
        std::vector<Figures> others;
        for (const Row row : collectives.all[to].kernels) {
            if (const auto begin = begins.find(device(row)); begin != begins.end()) {
                if (device(row) == late.device || !late.has(device(row))) {
                    (device(row) == late.device ? own : others.emplace_back()) = between(begin->second, row);
                }
            }
        }
        for (const auto figure : figures) {
            std::vector<Number> values;
            for (const auto& other : others) {
                values.push_back(other.*figure);
            }
            const Number usual = values.empty() ? own.*figure : median_of(std::move(values));
            sums.more.*figure += own.*figure - usual;
            sums.usual.*figure += usual;
        }
    }
    return sums;
}

}  // namespace lanes
