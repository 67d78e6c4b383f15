// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/sampled_places.h"

#include "engine/trace/meta_keys.h"
#include "engine/trace/sampled_range.h"

#include <algorithm>
#include <cmath>

namespace lanes {

std::vector<std::pair<StringId, std::uint64_t>> PlaceTally::by_count(std::size_t most) const
{
    constexpr std::uint64_t least_part = 20;
    std::vector<std::pair<StringId, std::uint64_t>> places;
    for (const auto& place : samples) {
        if (place.second * least_part >= all) {
            places.push_back(place);
        }
    }
    std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    places.resize(std::min(places.size(), most));
    return places;
}

SampledPlaces::SampledPlaces(const Trace& trace)
    : m_trace(&trace)
    , m_interval(static_cast<Ns>(meta::number_of(trace.meta, meta::stacks_interval)))
    , m_threads(m_interval > 0 ? trace.threads.size() : 0)
{
    for (Row row = 0; row < trace.ranges.size() && m_interval > 0; ++row) {
        if (trace.ranges[row].thread != no_row && is_sampled(trace, row)) {
            m_threads[trace.ranges[row].thread].push_back(row);
        }
    }
}

void SampledPlaces::count(Row thread, Interval stretch, PlaceTally& tally) const
{
    if (thread >= m_threads.size()) {
        return;
    }
    const auto& rows = m_threads[thread];
    const auto& ranges = m_trace->ranges;
    auto at = std::partition_point(rows.begin(), rows.end(), [&](Row row) { return ranges[row].end <= stretch.start; });
    for (; at != rows.end() && ranges[*at].start < stretch.end; ++at) {
        const auto& range = ranges[*at];
        // The interval is never exact: as many samples as it holds on average, evenly from the start on.
        const Ns length = range.end - range.start;
        const Ns taken = std::max<Ns>(1, (length + m_interval / 2) / m_interval);
        const auto before = [&](Ns time) {
            const auto reached = static_cast<double>(std::clamp(time, range.start, range.end) - range.start);
            return static_cast<std::uint64_t>(
                std::ceil(reached * static_cast<double>(taken) / static_cast<double>(std::max<Ns>(length, 1))));
        };
        const auto inside = before(stretch.end) - before(stretch.start);
        if (inside > 0) {
            tally.samples[range.name] += inside;
            tally.all += inside;
        }
    }
}

}  // namespace lanes
