// SPDX-License-Identifier: MIT
#include "engine/ranks/clock_set.h"

#include <cstdlib>

namespace lanes {

std::vector<ClockSet> clock_set(const Trace& trace)
{
    std::vector<ClockSet> found;
    for (std::size_t i = 1; i < trace.clocks.size(); ++i) {
        const auto& before = trace.clocks[i - 1];
        const auto& after = trace.clocks[i];
        const Ns apart = after.monotonic - before.monotonic;
        const Ns by = (after.time - before.time) - apart;
        if (std::abs(by) > most_slewed(apart)) {
            found.push_back({trace.origin + before.time, trace.origin + after.time, by});
        }
    }
    return found;
}

}  // namespace lanes
