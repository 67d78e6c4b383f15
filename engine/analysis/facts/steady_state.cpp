// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/steady_state.h"
#include "engine/trace/median.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

namespace lanes {

namespace {

/// Periods are looked for in this many operations; what is found is then followed through all of them.
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
    const Ns median = median_of(durations);
    std::size_t first = 0;
    while (durations.size() - first > least_iterations && durations[first] / warm_up_factor > median) {
        ++first;
    }
    return first;
}

// ---- by ranges

struct RangeGroup {
    std::vector<Interval> instances;  // one after the other
    std::size_t operations = 0;  // which its process issued in them
    Ns length = 0;
};
using RangeGroups = std::map<std::pair<Row, std::string_view>, RangeGroup>;

/// When operations were issued, sorted: of each process, and of all.
class IssueTimes {
public:
    explicit IssueTimes(const Trace& trace)
        : m_trace(trace)
    {
        for (Row row = 0; row < trace.operations.size(); ++row) {
            m_of[trace.streams[trace.operations.stream[row]].process].push_back(issued(trace, row));
        }
        for (auto& [process, times] : m_of) {
            std::sort(times.begin(), times.end());
            m_all.insert(m_all.end(), times.begin(), times.end());
        }
        std::sort(m_all.begin(), m_all.end());
    }
    /// Those of the thread's process: other ranks' do not count. For no thread, or if that process issued none, those
    /// of all.
    const std::vector<Ns>& of(Row thread) const
    {
        const auto found = thread == no_row ? m_of.end() : m_of.find(m_trace.threads[thread].process);
        return found == m_of.end() ? m_all : found->second;
    }
    static std::size_t within(const std::vector<Ns>& times, const Interval& span)
    {
        const auto before = [&](Ns time) { return std::lower_bound(times.begin(), times.end(), time) - times.begin(); };
        return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, before(span.end) - before(span.start)));
    }

private:
    const Trace& m_trace;
    std::map<std::uint32_t, std::vector<Ns>> m_of;
    std::vector<Ns> m_all;
};

/// Where iterations start if `best` is only a part of them, such as a backward pass: at the first range that each
/// iteration has exactly once. Returns its name, and a start for each of `best`.
std::pair<std::string_view, std::vector<Ns>> starts_around(
    const RangeGroups& groups, Row thread, std::string_view name, const RangeGroup& best)
{
    const auto& parts = best.instances;
    std::pair<std::string_view, std::vector<Ns>> found {name, {}};
    Ns longest_lead = 0;
    for (const auto& part : parts) {
        found.second.push_back(part.start);
    }
    for (auto at = groups.lower_bound({thread, {}}); at != groups.end() && at->first.first == thread; ++at) {
        const auto& instances = at->second.instances;
        if (instances.front().start >= parts.front().start || instances.size() * 10 < parts.size() * 9
            || instances.size() * 9 > parts.size() * 10 + 9) {
            continue;
        }
        std::vector<Ns> starts, leads;
        auto next = instances.begin();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto from = next;
            while (next != instances.end() && next->start < parts[i].start) {
                ++next;
            }
            // Ranges of the start-up may come before the first one.
            const bool once = i == 0 ? next != from : next - from == 1;
            starts.push_back(next == from ? parts[i].start : i == 0 ? std::prev(next)->start : from->start);
            if (once) {
                leads.push_back(parts[i].start - starts.back());
            }
        }
        if (leads.size() * 10 < parts.size() * 9) {
            continue;
        }
        if (const Ns lead = median_of(std::move(leads)); lead > longest_lead) {
            longest_lead = lead;
            found = {at->first.second, std::move(starts)};
        }
    }
    return found;
}

/// From one start to the next; the last one takes as long as the others, or up to the last end.
std::vector<Interval> periods_from(const std::vector<Ns>& starts, Ns last_end, Ns duration)
{
    std::vector<Interval> all;
    std::vector<Ns> lengths;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
        all.push_back({starts[i], starts[i + 1]});
        lengths.push_back(starts[i + 1] - starts[i]);
    }
    const Ns end = std::max(last_end, starts.back() + median_of(std::move(lengths)));
    all.push_back({starts.back(), std::min(end, std::max(duration, last_end))});
    return all;
}

std::optional<Repetition> by_ranges(const Trace& trace)
{
    RangeGroups groups;
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
    const IssueTimes times(trace);
    const RangeGroup* best = nullptr;
    std::string_view name;
    Row thread = no_row;
    for (auto& [key, group] : groups) {
        for (const Interval& each : group.instances) {
            group.operations += IssueTimes::within(times.of(key.first), each);
            group.length += each.end - each.start;
        }
        const auto rank = [](const RangeGroup& of) { return std::pair(of.operations, of.length); };
        if (best == nullptr || rank(group) > rank(*best)) {
            best = &group;
            name = key.second;
            thread = key.first;
        }
    }
    const auto& own = times.of(thread);
    if (static_cast<double>(best->operations) < share_that_repeats * static_cast<double>(own.size())) {
        return std::nullopt;
    }
    auto iterations = best->instances;
    const Interval whole {iterations.front().start, iterations.back().end};
    if (static_cast<double>(best->operations)
        < share_of_an_iteration * static_cast<double>(IssueTimes::within(own, whole))) {
        auto [around, starts] = starts_around(groups, thread, name, *best);
        name = around;
        iterations = periods_from(starts, whole.end, trace.duration);
    }
    std::vector<Ns> durations;
    durations.reserve(iterations.size());
    for (const Interval& each : iterations) {
        durations.push_back(each.end - each.start);
    }
    const std::size_t first = warm_up(durations);
    Interval span {iterations[first].start, iterations.back().end};
    if (static_cast<double>(IssueTimes::within(own, span)) < share_that_repeats * static_cast<double>(own.size())) {
        return std::nullopt;  // the supposed warm-up did the work
    }
    Ns last = span.end;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const bool of_another = thread != no_row && &own != &times.of(no_row)
            && trace.streams[trace.operations.stream[row]].process != trace.threads[thread].process;
        if (const Ns at = issued(trace, row); !of_another && at >= span.start && at < span.end) {
            last = std::max(last, trace.operations.end[row]);
        }
    }
    span.end = last;
    const auto count = iterations.size() - first;
    return Repetition {{span, count, SteadyState::Found::ranges, std::string(name), thread}, std::move(iterations)};
}

// ---- by launches

/// The stretch [begin, end) of `names` in which most names come again after `period`.
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

/// Distances at which short sequences of names come again, first those that account for most operations.
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
    if (count < least_iterations || best.end - best.begin < least_operations
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
    if (static_cast<double>(best.end - best.begin - first * best.period)
        < share_that_repeats * static_cast<double>(rows.size())) {
        return std::nullopt;
    }
    Interval span {startOf(best.begin + first * best.period), 0};
    for (std::size_t i = best.begin + first * best.period; i < best.end; ++i) {
        span.start = std::min(span.start, startOf(i));
        span.end = std::max(span.end, trace.operations.end[row(i)]);
    }
    return Repetition {{span, count - first, SteadyState::Found::launches}, std::move(iterations)};
}

constexpr std::string_view digits = "0123456789";

}  // namespace

bool names_a_place(std::string_view name)
{
    const auto open = name.rfind(" (");
    const auto line = name.rfind(':');
    return name.ends_with(')') && open != std::string_view::npos && line != std::string_view::npos && open < line
        && line + 2 < name.size() && name.substr(line + 1).find_first_not_of(digits) == name.size() - line - 2;
}

std::string_view without_number(std::string_view name)
{
    std::string_view rest = name;
    const bool in_brackets = rest.ends_with(')') || rest.ends_with(']');
    if (in_brackets) {
        rest.remove_suffix(1);
    }
    const auto last = rest.find_last_not_of(digits);
    if (last == std::string_view::npos || last + 1 == rest.size()) {
        return name;
    }
    if (in_brackets && rest[last] != '(' && rest[last] != '[') {
        return name;  // "backward (train.py:63)": a place
    }
    const auto end = rest.find_last_not_of(" #_:-=([.", last);
    return end == std::string_view::npos ? name : rest.substr(0, end + 1);
}

namespace {

/// Whether one pause between two iterations is longer than all the rest: then the run did something else meanwhile.
bool is_interrupted(const Repetition& of)
{
    const auto& span = of.steady.span;
    Ns longest = 0;
    for (std::size_t i = of.iterations.size() - of.steady.count; i + 1 < of.iterations.size(); ++i) {
        longest = std::max(longest, of.iterations[i + 1].start - of.iterations[i].end);
    }
    return 2 * longest > span.end - span.start;
}

std::optional<Repetition> find_repetition(const Trace& trace)
{
    for (const auto find : {by_ranges, by_launches}) {
        if (auto found = find(trace); found && !is_interrupted(*found)) {
            return found;
        }
    }
    return std::nullopt;
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
