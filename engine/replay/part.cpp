// SPDX-License-Identifier: MIT
#include "engine/replay/part.h"

#include "engine/analysis/facts/intervals.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>

namespace lanes::replay {

namespace {

constexpr double busy_varies = 0.03;  // kernels from run to run
// Copies: those of pageable memory most, where others load.
constexpr double pinned_varies = 0.1, pageable_varies = 0.35;

/// For how long any GPU runs kernels within a range. How long copies of pageable memory take differs from run to run.
Ns kernels_in(const Script& script, const Replayed& replayed, Interval range)
{
    IntervalSet busy;
    for (std::size_t i = 0; i < replayed.start.size(); ++i) {
        if (script.operations[i].kind == OperationKind::kernel && replayed.start[i] >= 0
            && replayed.end[i] > range.start && replayed.start[i] < range.end) {
            busy.push_back(common({replayed.start[i], replayed.end[i]}, range));
        }
    }
    return length(unite(std::move(busy)));
}

/// The least time that each stream of a script is busy within a range. Operations of a stream may overlap: nodes of a
/// graph, and kernels that begin before the one before them has ended.
std::vector<Ns> least_busy(const Script& script, const Replayed& replayed, Interval range)
{
    std::vector<double> busy(script.streams.size());
    std::vector<Ns> until(script.streams.size(), range.start);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < replayed.start.size(); ++i) {
        if (replayed.start[i] >= 0) {
            order.push_back(i);
        }
    }
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return replayed.start[a] < replayed.start[b]; });
    for (const auto i : order) {
        const auto& operation = script.operations[i];
        const double varies = operation.kind == OperationKind::kernel ? busy_varies
            : operation.pageable                                      ? pageable_varies
                                                                      : pinned_varies;
        auto& covered = until[operation.stream];
        const Ns length = std::min(replayed.end[i], range.end) - std::max(replayed.start[i], covered);
        busy[operation.stream] += static_cast<double>(std::max<Ns>(0, length)) * (1 - varies);
        covered = std::max(covered, replayed.end[i]);
    }
    std::vector<Ns> least;
    std::transform(busy.begin(), busy.end(), std::back_inserter(least), [](double time) { return std::llround(time); });
    return least;
}

/// The least time that the busiest stream of the changed run takes for its work of a part.
Ns busiest_stream(const BothRuns& runs, Interval part)
{
    constexpr Interval all {INT64_MIN, INT64_MAX};
    auto changed = least_busy(runs.changed, runs.replayed, all);
    if (is_part(part)) {  // what is outside it is the same
        const auto whole = least_busy(runs.recorded, runs.unchanged, all);
        const auto within = least_busy(runs.recorded, runs.unchanged, part);
        for (std::size_t stream = 0; stream < std::min(changed.size(), whole.size()); ++stream) {
            changed[stream] -= whole[stream] - within[stream];
        }
    }
    return changed.empty() ? 0 : *std::max_element(changed.begin(), changed.end());
}

/// When something that took `recorded` and now takes `replayed` has come as far as it had at `then`.
Ns part_way(Interval recorded, Interval replayed, Ns then)
{
    if (then >= recorded.end) {
        return replayed.end;
    }
    const double part = static_cast<double>(then - recorded.start) / static_cast<double>(recorded.end - recorded.start);
    return replayed.start + part_of(replayed.end - replayed.start, part);
}

/// When each stream, then each thread, has come as far as at `then` in the recording; 0: it had not begun.
std::vector<Ns> moments(const Script& script, const Replayed& replayed, const Trace& trace, Ns then)
{
    std::vector<Ns> streams(trace.streams.size());
    for (std::size_t i = 0; i < script.operations.size(); ++i) {
        const Row row = script.operations[i].row;
        if (replayed.start[i] < 0 || row == no_row || trace.operations.start[row] >= then) {
            continue;
        }
        const Ns moment = part_way(
            {trace.operations.start[row], trace.operations.end[row]}, {replayed.start[i], replayed.end[i]}, then);
        auto& of = streams[trace.operations.stream[row]];
        of = std::max(of, moment);
    }
    const std::size_t all_streams = streams.size();
    std::vector<Ns> all = std::move(streams);
    all.resize(all_streams + script.first_item.size());
    for (std::size_t i = 0; i < script.items.size(); ++i) {
        const auto& item = script.items[i];
        if (item.counts && !item.dropped && item.start < then) {
            const bool waits = item.wait != Item::nothing && item.end > then;
            auto& of = all[all_streams + item.thread];
            of = std::max(of,
                waits ? std::min(replayed.item_end[i], replayed.item_start[i] + std::min(item.own, then - item.start))
                      : part_way({item.start, item.end}, {replayed.item_start[i], replayed.item_end[i]}, then));
        }
    }
    return all;
}

}  // namespace

Interval part_of_all(const std::vector<Change>& changes)
{
    std::optional<Interval> part;
    for (const auto& change : changes) {
        const auto of = limited_part(change.on);
        if (!of || (part && (part->start != of->start || part->end != of->end))) {
            return {};
        }
        part = of;
    }
    return part.value_or(Interval {});
}

Ns longer_elsewhere(const BothRuns& runs, const Trace& trace, Interval part)
{
    const Ns gain = runs.unchanged.total - runs.replayed.total;
    if (!is_part(part) || gain <= 0) {
        return 0;
    }
    std::vector<Ns> gained;
    for (const Ns then : {part.start, part.end}) {
        const auto before = moments(runs.recorded, runs.unchanged, trace, then);
        const auto after = moments(runs.changed, runs.replayed, trace, then);
        gained.resize(before.size());
        for (std::size_t i = 0; i < before.size(); ++i) {
            gained[i] = before[i] - after[i] - (then == part.end ? gained[i] : 0);
        }
    }
    const Ns inside = *std::max_element(gained.begin(), gained.end());
    return std::clamp<Ns>(inside, 0, gain) - gain;
}

Ns least_total(const BothRuns& runs, Interval part, Ns recorded, Ns elsewhere)
{
    constexpr Interval all {INT64_MIN, INT64_MAX};
    const Ns rest = is_part(part) ? runs.unchanged.total - recorded + elsewhere : 0;
    const Ns other_kernels = is_part(part)
        ? kernels_in(runs.recorded, runs.unchanged, all) - kernels_in(runs.recorded, runs.unchanged, part)
        : 0;
    const Ns kernels = kernels_in(runs.changed, runs.replayed, all) - other_kernels;
    return rest + std::max(kernels - part_of(std::max<Ns>(0, kernels), busy_varies), busiest_stream(runs, part));
}

}  // namespace lanes::replay
