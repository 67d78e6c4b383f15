// SPDX-License-Identifier: MIT
// How many durations of A and of B lie between which lengths: the bars of a histogram whose axis is logarithmic, as
// durations of one name often are of several sizes.
//
// A bin i holds the durations d with edges[i] <= d < edges[i + 1], exactly, so that an interval of whole bins means the
// same events wherever it is asked for. Cost: to make, n log(bins).
#pragma once

#include "engine/trace/units.h"

#include <array>
#include <cstdint>
#include <vector>

namespace lanes::gui {

struct DurationBins {
    std::vector<Ns> edges;  ///< ascending, one more than there are bins; none where there are no durations
    std::array<std::vector<std::uint64_t>, 2> counts;  ///< of A and of B, by bin

    /// At most `bins` of them, as fewer nanoseconds do not hold as many.
    static DurationBins of(const std::array<std::vector<Ns>, 2>& durations, std::size_t bins);

    std::size_t size() const { return edges.empty() ? 0 : edges.size() - 1; }
    /// The bin of a duration; the first or the last one where it is shorter or longer than all.
    std::size_t binOf(Ns duration) const;
    std::uint64_t most() const;
};

}  // namespace lanes::gui
