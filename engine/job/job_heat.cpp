// SPDX-License-Identifier: MIT
#include "engine/job/job_heat.h"

#include "engine/analysis/facts/intervals.h"
#include "engine/job/job_report.h"
#include "engine/trace/median.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace lanes {

namespace {

constexpr std::size_t hidden_outliers = 1000;  // one value in so many may lie above the top of the scale

/// Up to two digits: 104 ms for 110 ms.
Ns rounded_up(Ns value)
{
    Ns unit = 1;
    while (value / unit >= 100) {
        unit *= 10;
    }
    return (value + unit - 1) / unit * unit;
}

Ns value_of(const RankTimes& times, Ns length, HeatMeasure measure)
{
    switch (measure) {
    case HeatMeasure::exposed:
        return times.exposed;
    case HeatMeasure::idle:
        return std::max<Ns>(0, length - times.busy);
    case HeatMeasure::step:
        return length;
    case HeatMeasure::waited:
        break;
    }
    return 0;
}

/// On its own clock. Its steps or its bins; what it waited is added by its collectives.
std::vector<HeatPart> parts_of(const RankSummary& rank, bool are_steps)
{
    std::vector<HeatPart> parts;
    const auto add = [&](Ns start, Ns end, const RankTimes& times) {
        parts.push_back({start, end, {}});
        for (const auto measure : heat_measures) {
            parts.back().values[static_cast<std::size_t>(measure)] = value_of(times, end - start, measure);
        }
    };
    for (std::size_t i = 0; are_steps && i < rank.steps.size(); ++i) {
        add(rank.steps[i].start, rank.steps[i].end, rank.steps[i].times);
    }
    const double length = static_cast<double>(rank.end - rank.start) / rank_bins;
    for (std::size_t i = 0; i < (are_steps ? 0 : rank_bins); ++i) {
        const auto start = rank.start + static_cast<Ns>(length * static_cast<double>(i));
        const auto end = rank.start + static_cast<Ns>(length * static_cast<double>(i + 1));
        add(start, end, rank.bins[i]);
        parts.back().values[static_cast<std::size_t>(HeatMeasure::step)] = no_heat;
    }
    return parts;
}

Interval opened_part(const HeatParts& parts)
{
    constexpr Ns beside_part = 50;  // on each side of the steps, 1 / beside_part of their time is shown, too
    if (!parts.is_of_steps || parts.of_rank.empty()) {
        return parts.time;
    }
    Interval steps {std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
    for (const auto& of : parts.of_rank) {
        for (const auto& part : of) {
            steps.start = std::min(steps.start, part.start);
            steps.end = std::max(steps.end, part.end);
        }
    }
    const Ns beside = (steps.end - steps.start) / beside_part;
    return 2 * (steps.end - steps.start) < parts.time.end - parts.time.start
        ? common({steps.start - beside, steps.end + beside}, parts.time)
        : parts.time;
}

Ns top_of(const std::vector<Ns>& cells)
{
    std::vector<Ns> known;
    std::copy_if(cells.begin(), cells.end(), std::back_inserter(known), [](Ns cell) { return cell >= 0; });
    if (known.empty()) {
        return 0;
    }
    return rounded_up(nth_of(known, known.size() - 1 - known.size() / hidden_outliers));
}

}  // namespace

const char* name_of(HeatMeasure measure)
{
    switch (measure) {
    case HeatMeasure::exposed:
        return "exposed";
    case HeatMeasure::idle:
        return "idle";
    case HeatMeasure::step:
        return "step";
    case HeatMeasure::waited:
        break;
    }
    return "waited";
}

Ns JobHeat::start_of(std::size_t column) const
{
    const Ns all = time.end - time.start;
    const auto at = static_cast<Ns>(column);
    constexpr auto columns = static_cast<Ns>(heat_columns);
    return time.start + all / columns * at + all % columns * at / columns;
}

std::size_t JobHeat::column_of(Ns moment) const
{
    const double all = std::max<double>(1, static_cast<double>(time.end - time.start));
    const double at = static_cast<double>(moment - time.start) / all * static_cast<double>(heat_columns);
    return static_cast<std::size_t>(std::clamp(at, 0., static_cast<double>(heat_columns - 1)));
}

HeatParts heat_parts_of(
    const std::vector<RankSummary>& ranks, const JobMeetings& meetings, const std::vector<Ns>& waits)
{
    HeatParts parts;
    parts.time
        = ranks.empty() ? Interval {0, 1} : Interval {std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
    parts.of_rank.reserve(ranks.size());
    parts.is_of_steps = !ranks.empty()
        && std::none_of(ranks.begin(), ranks.end(), [](const RankSummary& rank) { return rank.steps.empty(); });
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        parts.time.start = std::min(parts.time.start, meetings.aligned(rank, ranks[rank].start));
        parts.time.end = std::max(parts.time.end, meetings.aligned(rank, ranks[rank].end));
        parts.part = std::max(parts.part, (ranks[rank].end - ranks[rank].start) / static_cast<Ns>(rank_bins));
        parts.of_rank.push_back(parts_of(ranks[rank], parts.is_of_steps));
    }
    std::vector<std::vector<Interval>> waiting(ranks.size());
    for (Row row = 0; row < waits.size(); ++row) {
        waiting[meetings.rank_of(row)].push_back(wait_in(ranks, meetings, waits, row));
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        auto& of = parts.of_rank[rank];
        for (const auto& wait : unite(std::move(waiting[rank]))) {
            auto part = std::upper_bound(
                of.begin(), of.end(), wait.start, [](Ns time, const HeatPart& each) { return time < each.start; });
            for (part -= part == of.begin() ? 0 : 1; part != of.end() && part->start < wait.end; ++part) {
                part->values[static_cast<std::size_t>(HeatMeasure::waited)]
                    += length(common(wait, {part->start, part->end}));
            }
        }
    }
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        for (auto& part : parts.of_rank[rank]) {
            part.end = meetings.aligned(rank, std::max(part.start, part.end - 1)) + 1;
            part.start = meetings.aligned(rank, part.start);
        }
    }
    parts.opened = opened_part(parts);
    return parts;
}

JobHeat heat_of(const HeatParts& parts, HeatMeasure measure, Interval time)
{
    JobHeat heat;
    heat.ranks = parts.of_rank.size();
    heat.time = time;
    heat.is_of_steps = parts.is_of_steps;
    heat.part = parts.part;
    heat.cells.assign(heat.ranks * heat_columns, no_heat);
    for (std::size_t rank = 0; rank < heat.ranks; ++rank) {
        Ns* const cells = heat.cells.data() + rank * heat_columns;
        for (const auto& part : parts.of_rank[rank]) {
            if (part.end <= time.start || part.start >= time.end) {
                continue;
            }
            const Ns value = part.values[static_cast<std::size_t>(measure)];
            const auto last = heat.column_of(part.end - 1);
            for (auto column = heat.column_of(part.start); column <= last; ++column) {
                cells[column] = std::max(cells[column], value);
            }
        }
    }
    return heat;
}

JobHeats heats_of(const HeatParts& parts)
{
    JobHeats heats;
    for (const auto measure : heat_measures) {
        auto& heat = heats[static_cast<std::size_t>(measure)];
        heat = heat_of(parts, measure, parts.time);
        heat.top = top_of(heat.cells);
    }
    return heats;
}

}  // namespace lanes
