// SPDX-License-Identifier: MIT
// When a replay is given up: nobody wants it any more, or it takes longer than it is worth waiting for.
#pragma once

#include "engine/trace/progress.h"

#include <chrono>

namespace lanes::replay {

/// A replay was given up because it went on beyond its time.
class TooLong : public std::runtime_error {
public:
    TooLong()
        : std::runtime_error("replaying the change takes too long")
    {
    }
};

struct Bound {
    using Clock = std::chrono::steady_clock;

    Progress progress;  ///< of which only cancelled() is asked
    Clock::time_point until = Clock::time_point::max();

    /// One for what may take that long from now on.
    static Bound within(const Progress& progress, Clock::duration most)
    {
        const auto now = Clock::now();
        return {progress, most < Clock::time_point::max() - now ? now + most : Clock::time_point::max()};
    }
    /// Throws Cancelled and TooLong. Cost: of a look at the clock.
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
