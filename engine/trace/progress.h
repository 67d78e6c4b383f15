// SPDX-License-Identifier: MIT
// How long-running work reports its progress and is asked to stop.
#pragma once

#include <functional>
#include <stdexcept>

namespace lanes {

/// Called with a fraction in [0, 1]; returning false cancels: the work throws Cancelled and leaves nothing behind.
using Progress = std::function<bool(double)>;
class Cancelled : public std::runtime_error {
public:
    Cancelled() : std::runtime_error("cancelled") {}
};

/// Asks `progress`, which may be empty, and throws Cancelled if it says so.
inline void report_progress(const Progress& progress, double fraction)
{
    if (progress && !progress(fraction)) {
        throw Cancelled();
    }
}

/// A Progress for a part of the work: its 0 to 1 is `begin` to `end` of `progress`.
inline Progress part_of(const Progress& progress, double begin, double end)
{
    if (!progress) {
        return {};
    }
    return [=, &progress](double fraction) { return progress(begin + (end - begin) * fraction); };
}

}  // namespace lanes
