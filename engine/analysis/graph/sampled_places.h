// SPDX-License-Identifier: MIT
// Where Python was in stretches of a thread's time, by samples (`lanes record --stacks`): what has no record of its
// own, the time between calls, has these names.
//
// Only samples count that were taken within the stretches: that a sample before a stretch was at some place says
// nothing of the stretch. So a share of samples is an estimate of a share of time, and is shown with their number. A
// range of samples (sampled_domain) counts as one sample at its start and, if it is longer, as many as the number of
// sampling intervals in it, rounded.
#pragma once

#include "engine/trace/trace.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace lanes {

/// How often a thread was seen where.
struct PlaceTally {
    std::map<StringId, std::uint64_t> samples;  ///< by place, "forward (model.py:42)"
    std::uint64_t all = 0;

    /// The most frequent first; at most `most`, each with a twentieth of the samples or more.
    std::vector<std::pair<StringId, std::uint64_t>> by_count(std::size_t most) const;
};

/// Trace must outlive it. Cost: 4 bytes a range of samples.
class SampledPlaces {
public:
    explicit SampledPlaces(const Trace& trace);

    /// Between two samples of a thread, ns; 0: there are no samples.
    Ns interval() const { return m_interval; }

    /// Adds the samples of `thread` in `stretch` to `tally`. Cost: log n, and the samples in it.
    void count(Row thread, Interval stretch, PlaceTally& tally) const;

private:
    const Trace* m_trace;
    Ns m_interval = 0;
    std::vector<std::vector<Row>> m_threads;  ///< ranges by start; one thread's do not overlap
};

}  // namespace lanes
