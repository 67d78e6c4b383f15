// SPDX-License-Identifier: MIT
#include "engine/analysis/steps.h"

#include "engine/analysis/facts/steady_state.h"
#include "engine/formatted.h"
#include "engine/trace/operator_range.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

namespace lanes {

namespace {

std::map<std::uint32_t, Interval> numbered_steps(const Trace& trace)
{
    std::map<std::uint32_t, Interval> steps;
    for (const Range& range : trace.ranges) {
        const auto name = trace.text(range.name);
        std::uint32_t number = 0;
        if (range.mark || !name.starts_with(profiler_step)
            || std::from_chars(name.data() + profiler_step.size(), name.data() + name.size(), number).ec
                != std::errc()) {
            continue;
        }
        // With several processes, a step lasts from its first begin to its last end.
        auto& step = steps.try_emplace(number, Interval {range.start, range.end}).first->second;
        step.start = std::min(step.start, range.start);
        step.end = std::max(step.end, range.end);
    }
    if (steps.empty()) {
        for (const auto& iteration : find_iterations(trace)) {
            steps.emplace(static_cast<std::uint32_t>(steps.size()), iteration);
        }
    }
    return steps;
}

}  // namespace

std::optional<Interval> find_steps(const Trace& trace, StepNumbers steps, std::string& problem)
{
    const auto found = numbered_steps(trace);
    if (found.empty()) {
        problem = "nothing in it repeats, and no range is named ProfilerStep#N";
        return std::nullopt;
    }
    const auto first = found.find(steps.first);
    const auto last = found.find(steps.end - 1);
    if (first == found.end() || last == found.end()) {
        problem
            = formatted("it has steps {} to {}, {} in all", found.begin()->first, found.rbegin()->first, found.size());
        return std::nullopt;
    }
    const auto next = found.find(steps.end);
    return Interval {first->second.start, next == found.end() ? last->second.end + 1 : next->second.start};
}

}  // namespace lanes
