// SPDX-License-Identifier: MIT
#include "engine/analysis/steady_state.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

namespace lanes {

namespace {

/// Operations in which periods are looked for; what is found there is then followed through all of them.
constexpr std::size_t sample = 65'536;
constexpr std::size_t most_periods = 16;  // that are tried
constexpr std::int64_t mismatch = 3;  // matches that one mismatch outweighs: three of four must match

Ns issued(const Trace& trace, Row operation)
{
    const Row call = trace.operations.call[operation];
    return call == no_row ? trace.operations.start[operation] : trace.calls.start[call];
}

struct Repetition {
    SteadyState steady;
    std::vector<Interval> iterations;
};

/// How many iterations at the head are warm-up.
std::size_t warm_up(const std::vector<Ns>& durations)
{
    auto sorted = durations;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
    const Ns median = sorted[sorted.size() / 2];
    std::size_t first = 0;
    while (durations.size() - first > least_iterations && durations[first] / warm_up_factor > median) {
        ++first;
    }
    return first;
}

// ---- by ranges

struct RangeGroup {
    std::vector<Interval> instances;  // one after the other
    std::size_t operations = 0;  // issued in them
    Ns length = 0;
};

std::optional<Repetition> by_ranges(const Trace& trace)
{
    std::map<std::pair<Row, std::string_view>, RangeGroup> groups;
    for (const Range& range : trace.ranges) {
        if (range.mark || range.open || range.end <= range.start) {
            continue;
        }
        RangeGroup& group = groups[{range.thread, without_number(trace.text(range.name))}];
        if (group.instances.empty() || range.start >= group.instances.back().end) {
            group.instances.push_back({range.start, range.end});
        }
    }
    std::erase_if(groups, [](const auto& each) { return each.second.instances.size() < least_iterations; });
    if (groups.empty() || trace.operations.size() == 0) {
        return std::nullopt;
    }
    std::vector<Ns> at(trace.operations.size());
    for (std::size_t row = 0; row < at.size(); ++row) {
        at[row] = issued(trace, static_cast<Row>(row));
    }
    auto sorted = at;
    std::sort(sorted.begin(), sorted.end());
    const auto before = [&](Ns time) { return std::lower_bound(sorted.begin(), sorted.end(), time) - sorted.begin(); };
    const RangeGroup* best = nullptr;
    std::string_view name;
    Row thread = no_row;
    for (auto& [key, group] : groups) {
        for (const Interval& each : group.instances) {
            group.operations += static_cast<std::size_t>(before(each.end) - before(each.start));
            group.length += each.end - each.start;
        }
        const auto rank = [](const RangeGroup& of) { return std::pair(of.operations, of.length); };
        if (best == nullptr || rank(group) > rank(*best)) {
            best = &group;
            name = key.second;
            thread = key.first;
        }
    }
    if (static_cast<double>(best->operations) < share_that_repeats * static_cast<double>(at.size())) {
        return std::nullopt;
    }
    std::vector<Ns> durations;
    for (const Interval& each : best->instances) {
        durations.push_back(each.end - each.start);
    }
    const std::size_t first = warm_up(durations);
    Interval span {best->instances[first].start, best->instances.back().end};
    Ns last = span.end;
    for (std::size_t row = 0; row < at.size(); ++row) {
        if (at[row] >= span.start && at[row] < span.end) {
            last = std::max(last, trace.operations.end[row]);
        }
    }
    span.end = last;
    return Repetition {
        {span, best->instances.size() - first, SteadyState::Found::ranges, std::string(name), thread}, best->instances};
}

// ---- by launches

/// The stretch [begin, end) of `names` in which each comes again after `period`, as far as that holds on the whole.
struct Stretch {
    std::size_t period = 0, begin = 0, end = 0;
    std::int64_t score = 0;
};

Stretch follow(const StringId* names, std::size_t count, std::size_t period)
{
    Stretch best {period};
    std::int64_t score = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i + period < count; ++i) {
        if (names[i] != names[i + period]) {
            score -= mismatch;
        } else if (score <= 0) {
            score = 1;
            begin = i;
        } else {
            ++score;
        }
        if (score > best.score) {
            best = {period, begin, i + period + 1, score};
        }
    }
    return best;
}

/// Distances at which short sequences of names come again, those first that account for most operations.
std::vector<std::size_t> periods(const StringId* names, std::size_t count)
{
    const std::size_t length = count < 16 ? 1 : 4;
    std::unordered_map<std::uint64_t, std::size_t> seen;
    std::map<std::size_t, std::size_t> found;
    for (std::size_t i = 0; i + length <= count; ++i) {
        std::uint64_t hash = 0;
        for (std::size_t k = 0; k < length; ++k) {
            hash = (hash ^ names[i + k]) * 0x9E3779B97F4A7C15U;
        }
        const auto [at, fresh] = seen.try_emplace(hash, i);
        if (!fresh) {
            found[i - at->second] += i - at->second;
            at->second = i;
        }
    }
    std::vector<std::pair<std::size_t, std::size_t>> ranked;
    ranked.reserve(found.size());
    for (const auto& [distance, operations] : found) {
        ranked.emplace_back(operations, distance);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < std::min(ranked.size(), most_periods); ++i) {
        all.push_back(ranked[i].second);
    }
    return all;
}

std::optional<Repetition> by_launches(const Trace& trace)
{
    RowSpan rows;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        if (const RowSpan of = trace.operations_of(stream); of.size() > rows.size()) {
            rows = of;
        }
    }
    const StringId* names = trace.operations.name.data() + rows.begin;
    const std::size_t part = std::min(rows.size(), sample);
    const std::size_t from = (rows.size() - part) / 2;
    Stretch best;
    for (const std::size_t period : periods(names + from, part)) {
        const Stretch tried = follow(names + from, part, period);
        if (tried.score > best.score || (tried.score == best.score && tried.period < best.period)) {
            best = tried;
        }
    }
    if (best.period == 0) {
        return std::nullopt;
    }
    best = follow(names, rows.size(), best.period);
    const std::size_t count = (best.end - best.begin) / best.period;
    if (count < least_iterations
        || static_cast<double>(best.end - best.begin) < share_that_repeats * static_cast<double>(rows.size())) {
        return std::nullopt;
    }
    const auto row = [&](std::size_t i) { return static_cast<Row>(rows.begin + i); };
    const auto startOf = [&](std::size_t i) { return std::min(issued(trace, row(i)), trace.operations.start[row(i)]); };
    const auto lastOf = [&](std::size_t iteration) { return best.begin + (iteration + 1) * best.period - 1; };
    std::vector<Ns> durations;
    std::vector<Interval> iterations;
    for (std::size_t i = 0; i < count; ++i) {
        iterations.push_back({startOf(best.begin + i * best.period), trace.operations.end[row(lastOf(i))]});
        durations.push_back(iterations.back().end - iterations.back().start);
    }
    const std::size_t first = warm_up(durations);
    Interval span {startOf(best.begin + first * best.period), 0};
    for (std::size_t i = best.begin + first * best.period; i < best.end; ++i) {
        span.start = std::min(span.start, startOf(i));
        span.end = std::max(span.end, trace.operations.end[row(i)]);
    }
    return Repetition {{span, count - first, SteadyState::Found::launches}, std::move(iterations)};
}

}  // namespace

std::string_view without_number(std::string_view name)
{
    constexpr std::string_view digits = "0123456789";
    std::string_view rest = name;
    if (rest.ends_with(')') || rest.ends_with(']')) {
        rest.remove_suffix(1);
    }
    const auto last = rest.find_last_not_of(digits);
    if (last == std::string_view::npos || last + 1 == rest.size()) {
        return name;
    }
    const auto end = rest.find_last_not_of(" #_:-=([.", last);
    return end == std::string_view::npos ? name : rest.substr(0, end + 1);
}

namespace {

std::optional<Repetition> find_repetition(const Trace& trace)
{
    auto found = by_ranges(trace);
    return found ? found : by_launches(trace);
}

}  // namespace

std::optional<SteadyState> find_steady_state(const Trace& trace)
{
    auto found = find_repetition(trace);
    return found ? std::optional(std::move(found->steady)) : std::nullopt;
}

std::vector<Interval> find_iterations(const Trace& trace)
{
    auto found = find_repetition(trace);
    return found ? std::move(found->iterations) : std::vector<Interval> {};
}

}  // namespace lanes
