// SPDX-License-Identifier: MIT
// Samples that several parts of the fit use.
#pragma once

#include "engine/calibrate/estimate.h"
#include "engine/calibrate/experiments.h"

#include <initializer_list>
#include <vector>

namespace lanes {

inline constexpr std::uint64_t kib = 1024, mib = 1024 * kib;

using Samples = std::vector<double>;

/// `bytes` in `ns`, as bytes/s.
inline double rate_of(double bytes, double ns)
{
    return bytes / ns * 1e9;
}

/// Calls `what(experiment, samples)` for every experiment with one of these names.
template <class Function>
Samples samples_of(const Experiments& recorded, std::initializer_list<std::string_view> ranges, Function what)
{
    Samples samples;
    for (const auto range : ranges) {
        for (const auto& experiment : recorded.of(range)) {
            what(experiment, samples);
        }
    }
    return samples;
}

/// Times of the calls called `name`, without the first `skip` calls of each range.
inline Samples call_times(const Experiments& recorded, std::initializer_list<std::string_view> ranges,
    std::string_view name, std::size_t skip = 0)
{
    return samples_of(recorded, ranges, [&](const Experiment& experiment, Samples& samples) {
        std::size_t seen = 0;
        for (const auto& call : experiment.calls) {
            if (call.name == name && seen++ >= skip) {
                samples.push_back(call.time());
            }
        }
    });
}

/// The mean of the samples of each experiment with one of these names.
template <class Function>
Samples means_of(const Experiments& recorded, std::initializer_list<std::string_view> ranges, Function what)
{
    return samples_of(recorded, ranges, [&](const Experiment& experiment, Samples& means) {
        Samples samples;
        what(experiment, samples);
        if (!samples.empty()) {
            means.push_back(mean_without_outliers(samples));
        }
    });
}

/// Whether `next` was issued well before `previous` ended, so that the gap between them is due to the GPU alone.
inline bool was_queued(const Work& previous, const Work& next)
{
    return next.call_end + 20'000 < previous.end;
}

}  // namespace lanes
