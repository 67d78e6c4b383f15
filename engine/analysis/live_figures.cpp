// SPDX-License-Identifier: MIT
#include "engine/analysis/live_figures.h"

#include "engine/analysis/report.h"
#include "engine/analysis/words/shown.h"
#include "engine/formatted.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lanes {

namespace {

constexpr Ns second = 1'000'000'000;

/// As wide as the longest, "> 99 %", so that figures stay where they are in a line that is rewritten.
std::string in_column(double share)
{
    return formatted("{:>6}", shown_share(share));
}

}  // namespace

Interval last_second(const Trace& trace)
{
    std::map<std::uint32_t, Ns> newest;  // by process
    const auto see = [&](std::uint32_t process, Ns end) {
        auto& known = newest.try_emplace(process, end).first->second;
        known = std::max(known, end);
    };
    for (Row row = 0; row < trace.calls.size(); ++row) {
        see(trace.threads[trace.calls.thread[row]].process, trace.calls.end[row]);
    }
    for (Row row = 0; row < trace.operations.size(); ++row) {
        see(trace.streams[trace.operations.stream[row]].process, trace.operations.end[row]);
    }
    if (newest.empty()) {
        return {0, 0};
    }
    Ns last = INT64_MIN;
    for (const auto& [process, end] : newest) {
        last = std::max(last, end);
    }
    Ns until = last;
    for (const auto& [process, end] : newest) {
        until = end >= last - second ? std::min(until, end) : until;
    }
    return {std::max<Ns>(0, until - second), std::max<Ns>(0, until)};
}

LiveFigures live_figures(const Trace& trace, const Blocking& blocking, Interval range)
{
    LiveFigures figures;
    figures.range = range;
    if (range.end <= range.start) {
        return figures;
    }
    const auto report = make_figures(trace, blocking, RecordingBounds(trace, blocking), range);
    figures.gpu_busy = report.gpu_busy;
    figures.overlap = report.overlap;
    figures.operations = report.counts.kernels + report.counts.copies + report.counts.memsets;
    for (const auto& thread : report.threads) {
        if (thread.blocked && (!figures.blocked || *thread.blocked > *figures.blocked)) {
            figures.blocked = thread.blocked;
            figures.thread = thread.thread;
        }
    }
    return figures;
}

std::string to_line(const Trace& trace, const LiveFigures& figures)
{
    if (figures.range.end <= figures.range.start) {
        return "nothing recorded yet";
    }
    std::string thread;
    if (figures.blocked.value_or(0) > 0) {
        const auto& of = trace.threads[figures.thread];
        thread = formatted(" ({})", of.name != 0 ? std::string(trace.text(of.name)) : std::to_string(of.id));
    }
    return formatted("GPU busy {}  overlap {}  {:>6} operations/s  waits {}{}",
        in_column(figures.share(figures.gpu_busy)), in_column(figures.share(figures.overlap)),
        std::lround(figures.operations_a_second()),
        figures.blocked ? in_column(figures.share(*figures.blocked)) : "unknown", thread);
}

}  // namespace lanes
