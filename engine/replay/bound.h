// SPDX-License-Identifier: MIT
// When a replay is given up: it was cancelled, or takes too long.
#pragma once

#include "engine/trace/progress.h"

#include <chrono>

namespace lanes::replay {

/// A replay was given up because it exceeded its time.
class TooLong : public std::runtime_error {
public:
    TooLong()
        : std::runtime_error("replaying the change takes too long")
    {
    }
};

struct Bound {
    using Clock = std::chrono::steady_clock;

    Progress progress;  ///< only its cancelled() is used
    Clock::time_point until = Clock::time_point::max();

    /// A bound of `most` from now on.
    static Bound within(const Progress& progress, Clock::duration most)
    {
        const auto now = Clock::now();
        return {progress, most < Clock::time_point::max() - now ? now + most : Clock::time_point::max()};
    }
    /// Throws Cancelled and TooLong. Cost: one look at the clock.
    void check() const
    {
        if (progress.cancelled()) {
            throw Cancelled();
        }
        if (until != Clock::time_point::max() && Clock::now() >= until) {
            throw TooLong();
        }
    }
};

}  // namespace lanes::replay
