// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/counter_summary.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lanes {

namespace {

std::optional<CounterRow> row_of(const Trace& trace, const Counter& counter, Interval range)
{
    const auto& times = trace.samples.time;
    const auto& values = trace.samples.value;
    const auto place = [&](Row row) { return times.begin() + static_cast<std::ptrdiff_t>(row); };
    const auto row = [&](auto at) { return static_cast<Row>(at - times.begin()); };
    const auto begin = place(counter.samples.begin);
    const auto inside = std::lower_bound(begin, place(counter.samples.end), range.start);
    // The value before the range goes on in it, unless the range begins with a sample.
    const bool begins = inside != place(counter.samples.end) && *inside == range.start;
    const auto first = inside == begin || begins ? inside : std::prev(inside);
    const auto end = std::upper_bound(first, place(counter.samples.end), range.end);
    if (first == end) {
        return {};
    }
    CounterRow of {counter.process, counter.device, std::string(trace.text(counter.name)), counter.unit};
    of.samples = static_cast<std::uint64_t>(std::distance(inside, std::max(inside, end)));
    of.min = std::numeric_limits<double>::max();
    of.max = std::numeric_limits<double>::lowest();
    double held = 0;
    for (auto at = first; at != end; ++at) {
        const double value = values[row(at)];
        const Ns until = std::next(at) == end ? range.end : *std::next(at);
        of.min = std::min(of.min, value);
        of.max = std::max(of.max, value);
        if (const auto length = static_cast<double>(until - std::max(*at, range.start)); length > 0) {
            held += length;
            const double weight = length / held;  // a sum would overflow, a running mean does not
            of.mean = of.mean * (1 - weight) + value * weight;
        }
    }
    of.last = values[row(std::prev(end))];
    of.mean = held > 0 ? std::clamp(of.mean, of.min, of.max) : of.last;
    return of;
}

}  // namespace

CounterSummary summarise_counters(const Trace& trace, std::optional<Interval> range)
{
    CounterSummary summary;
    summary.several_processes = trace.processes.size() > 1;
    for (const Counter& counter : trace.counters) {
        if (auto row = row_of(trace, counter, range.value_or(Interval {0, trace.duration}))) {
            summary.rows.push_back(std::move(*row));
        }
    }
    return summary;
}

std::string_view name_of(CounterRecord::Unit unit)
{
    constexpr std::array<std::string_view, 3> names {"none", "bytes", "percent"};
    return unit < names.size() ? names[unit] : names[0];
}

}  // namespace lanes
