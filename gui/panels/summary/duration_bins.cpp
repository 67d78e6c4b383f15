// SPDX-License-Identifier: MIT
#include "gui/panels/summary/duration_bins.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanes::gui {

DurationBins DurationBins::of(const std::array<std::vector<Ns>, 2>& durations, std::size_t bins)
{
    DurationBins made;
    Ns least = std::numeric_limits<Ns>::max(), most = -1;
    for (const std::vector<Ns>& side : durations) {
        for (const Ns duration : side) {
            least = std::min(least, duration);
            most = std::max(most, duration);
        }
    }
    if (most < 0 || bins == 0) {
        return made;
    }
    const double low = static_cast<double>(std::max<Ns>(least, 1));
    const double ratio = static_cast<double>(most + 1) / low;
    made.edges.push_back(least);
    for (std::size_t i = 1; i < bins; ++i) {
        const auto edge
            = static_cast<Ns>(std::ceil(low * std::pow(ratio, static_cast<double>(i) / static_cast<double>(bins))));
        if (edge > made.edges.back() && edge <= most) {
            made.edges.push_back(edge);
        }
    }
    made.edges.push_back(most + 1);
    for (std::size_t side = 0; side < 2; ++side) {
        made.counts[side].assign(made.size(), 0);
        for (const Ns duration : durations[side]) {
            ++made.counts[side][made.binOf(duration)];
        }
    }
    return made;
}

std::size_t DurationBins::binOf(Ns duration) const
{
    const auto above = std::upper_bound(edges.begin(), edges.end(), duration);
    const auto at = above - edges.begin() - 1;
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, static_cast<std::ptrdiff_t>(size()) - 1));
}

std::uint64_t DurationBins::most() const
{
    std::uint64_t most = 0;
    for (const auto& side : counts) {
        for (const std::uint64_t count : side) {
            most = std::max(most, count);
        }
    }
    return most;
}

}  // namespace lanes::gui
