// SPDX-License-Identifier: MIT
#include "engine/analysis/recording.h"

#include "engine/trace/freed_memory.h"

#include <future>
#include <stop_token>

namespace lanes {

Recording analysed(Trace trace, const Progress& progress)
{
    constexpr std::size_t worth_a_thread = 100'000;  // operations and calls
    Recording recording;
    const auto kept = std::make_shared<const Trace>(std::move(trace));
    recording.trace = kept;
    const auto blocking = std::make_shared<const Blocking>(find_blocking(*kept, progress.part(0, 0.5)));
    recording.blocking = blocking;
    const bool is_large = kept->operations.size() + kept->calls.size() > worth_a_thread;
    if (is_large) {
        return_freed_memory();
    }
    // The report needs neither of these, which take about as long.
    struct Stop {
        std::stop_source source;
        ~Stop() { source.request_stop(); }
    };
    struct Rest {
        std::shared_ptr<const RangeIndex> ranges;
        std::shared_ptr<const Links> links;
    };
    std::future<Rest> rest;
    const Stop stop;  // cancelling the report cancels the rest
    rest = std::async(
        is_large ? std::launch::async : std::launch::deferred, [kept, blocking, token = stop.source.get_token()] {
            const Progress silent(token);
            return Rest {std::make_shared<const RangeIndex>(*kept, *blocking, silent),
                std::make_shared<const Links>(*kept, *blocking)};
        });
    recording.graph = std::make_shared<const Graph>(*kept, *blocking);
    progress.report(0.6);
    recording.waits = std::make_shared<const WaitCosts>(find_wait_costs(*recording.graph));
    const RecordingBounds bounds(*kept, *blocking);
    recording.report = std::make_shared<const Report>(
        make_report({*recording.graph, *recording.waits}, bounds, {}, progress.part(0.7, 1)));
    auto made = rest.get();
    recording.ranges = std::move(made.ranges);
    recording.links = std::move(made.links);
    if (is_large) {
        return_freed_memory();
    }
    return recording;
}

Recording reported(Trace trace, std::optional<Interval> range)
{
    Recording recording;
    const auto kept = std::make_shared<const Trace>(std::move(trace));
    recording.trace = kept;
    recording.blocking = std::make_shared<const Blocking>(find_blocking(*kept));
    recording.graph = std::make_shared<const Graph>(*kept, *recording.blocking);
    recording.waits = std::make_shared<const WaitCosts>(find_wait_costs(*recording.graph));
    recording.report = std::make_shared<const Report>(
        make_report({*recording.graph, *recording.waits}, RecordingBounds(*kept, *recording.blocking), range));
    return recording;
}

}  // namespace lanes
