// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/steady_state.h"

#include "engine/analysis/facts/launch_loop.h"
#include "engine/ascii.h"
#include "engine/trace/median.h"
#include "engine/trace/operator_range.h"
#include "engine/trace/range_kinds.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

namespace lanes {

namespace {

constexpr std::size_t one_of = 10;  // shares: "about as many" is within a tenth
constexpr std::size_t several = 3;

bool is_most(std::size_t operations, std::size_t all)
{
    return static_cast<double>(operations) >= share_that_repeats * static_cast<double>(all);
}

/// How many iterations at the head are warm-up, so that `least` stay.
std::size_t warm_up(const std::vector<Ns>& durations, std::size_t least = least_iterations)
{
    const Ns median = median_of(durations);
    std::size_t first = 0;
    while (durations.size() - first > least && durations[first] / warm_up_factor > median) {
        ++first;
    }
    return first;
}

// ---- by ranges

/// What the name of a range says, the better name for an iteration last.
enum class Named : std::uint8_t { operation, backward, own };

struct RangeGroup {
    std::vector<Interval> instances;  // one after the other
    std::size_t operations = 0;  // which its process issued in them
    Ns length = 0;
    Named named = Named::own;
    bool are_profiler_steps = false;
};
using RangeGroups = std::map<std::pair<Row, std::string_view>, RangeGroup>;

/// When operations were issued, sorted: of each process, and of all.
class IssueTimes {
public:
    explicit IssueTimes(const Trace& trace)
        : m_trace(trace)
    {
        for (Row row = 0; row < trace.operations.size(); ++row) {
            m_of[trace.streams[trace.operations.stream[row]].process].push_back(issue_time(trace, row));
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

/// Threads that issue a tenth or more of their process's operations: a loader's or a compiler's worker has no loop of
/// the model. All threads, if it is not known of most operations which thread issued them.
std::vector<bool> issuing_threads(const Trace& trace)
{
    std::vector<std::size_t> issued(trace.threads.size(), 0);
    std::map<std::uint32_t, std::size_t> of_process;
    std::size_t known = 0;
    for (const Row call : trace.operations.call) {
        if (const Row thread = call == no_row ? no_row : trace.calls.thread[call]; thread != no_row) {
            ++issued[thread];
            ++of_process[trace.threads[thread].process];
            ++known;
        }
    }
    std::vector<bool> issuing(trace.threads.size(), 2 * known < trace.operations.size());
    for (Row thread = 0; thread < trace.threads.size(); ++thread) {
        if (issued[thread] > 0 && issued[thread] * one_of >= of_process[trace.threads[thread].process]) {
            issuing[thread] = true;
        }
    }
    return issuing;
}

/// Ranges of libraries: what a program calls, not what it does. Their NVTX domains, and how PyTorch's profiler names
/// what has no operator; frames of PyTorch itself.
bool is_of_library(const Trace& trace, const Range& range)
{
    constexpr std::array<std::string_view, 7> domains {
        "NCCL", "CCCL", "cuBLAS", "cuDNN", "cuSPARSE", "cuSOLVER", "cuFFT"};
    constexpr std::array<std::string_view, 8> heads {
        "DataLoader: ", "nccl", "c10d::", "cub::", "thrust::", "Optimizer.", "enumerate(DataLoader)", "autograd::"};
    const auto name = trace.text(range.name);
    const auto domain = trace.text(range.domain);
    if (domain == frame_domain && name.starts_with("torch/")) {
        return true;
    }
    return std::find(domains.begin(), domains.end(), domain) != domains.end()
        || std::any_of(heads.begin(), heads.end(), [&](std::string_view head) { return name.starts_with(head); });
}

Named named_by(const Trace& trace, Row range)
{
    const auto name = trace.text(trace.ranges[range].name);
    return is_operator(trace, range) || is_of_library(trace, trace.ranges[range]) ? Named::operation
        : name.starts_with("backward")                                            ? Named::backward
                                                                                  : Named::own;
}

/// Whether `range` comes after `before`, which began no later. Times of other tools are rounded: to 1 µs, or as doubles
/// of µs since 1970 to 0.25 µs. So one range may end a little after the next one began.
bool follows(const Interval& before, const Range& range)
{
    constexpr Ns rounding = 1000;
    const bool is_inside = range.start == before.start || range.end <= before.end;
    return range.start >= before.end || (!is_inside && before.end - range.start <= rounding);
}

/// By thread and name without its number, those that come three times or more.
RangeGroups groups_of(const Trace& trace, const IssueTimes& times)
{
    RangeGroups groups;
    const RangeKinds kinds(trace);
    for (Row row = 0; row < trace.ranges.size(); ++row) {
        const Range& range = trace.ranges[row];
        if (range.mark || range.open || range.end <= range.start || kinds.is_sampled(row)
            || kinds.of(row) == RangeKind::plumbing) {
            continue;
        }
        RangeGroup& group = groups[{range.thread, without_number(trace.text(range.name))}];
        if (group.instances.empty() || follows(group.instances.back(), range)) {
            if (!group.instances.empty()) {
                group.instances.back().end = std::min(group.instances.back().end, range.start);
            }
            group.instances.push_back({range.start, range.end});
            group.named = std::min(group.named, named_by(trace, row));
            group.are_profiler_steps = is_profiler_step(trace.text(range.name));
        }
    }
    std::erase_if(groups, [](const auto& each) { return each.second.instances.size() < least_iterations; });
    for (auto& [key, group] : groups) {
        for (const Interval& each : group.instances) {
            group.operations += IssueTimes::within(times.of(key.first), each);
            group.length += each.end - each.start;
        }
    }
    return groups;
}

bool names_an_epoch(std::string_view name)
{
    return name.find("epoch") != std::string_view::npos || name.find("Epoch") != std::string_view::npos
        || name.find("EPOCH") != std::string_view::npos;
}

/// What is known before ranges are chosen.
struct Known {
    const Trace& trace;
    IssueTimes times {trace};
    RangeGroups groups = groups_of(trace, times);
    std::vector<bool> issuing = issuing_threads(trace);
    std::optional<LaunchLoop> loop = find_launch_loop(trace);

    bool issues(Row thread) const { return thread == no_row || issuing[thread]; }
    /// Whether launches say that an iteration is only a part of such a range, or has several of them. Not of steps of
    /// PyTorch's profiler: the program says that each is an iteration, and what it does in each tenth, such as to read
    /// a result, makes none longer.
    bool contradicts(const RangeGroups::value_type& each) const
    {
        if (!loop || !loop->complete || each.second.are_profiler_steps) {
            return false;
        }
        const auto ranges = each.second.instances.size();
        const auto iterations = loop->iterations.size();
        return ranges >= several * iterations || (names_an_epoch(each.first.second) && iterations >= several * ranges);
    }
};

/// How many of `spans`, or of what follows each to the start of the next, have exactly one start of `instances`.
std::size_t once_in(const std::vector<Interval>& spans, const std::vector<Interval>& instances)
{
    std::size_t once = 0;
    auto next = instances.begin();
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const Ns end = i + 1 < spans.size() ? spans[i + 1].start : spans[i].end;
        while (next != instances.end() && next->start < spans[i].start) {
            ++next;
        }
        const auto from = next;
        while (next != instances.end() && next->start < end) {
            ++next;
        }
        once += next - from == 1 ? 1 : 0;
    }
    return once;
}

/// The range after which an iteration is named: of those that come once in nine of ten, the user's own and calls of
/// models before backward passes, and the one with most operations. Null: none; operators name nothing.
const RangeGroups::value_type* name_giver(const Known& known, const std::vector<Interval>& iterations, Row of_thread)
{
    const RangeGroups::value_type* best = nullptr;
    const auto rank = [](const RangeGroup& of) { return std::tuple(of.named, of.operations, of.length); };
    for (const auto& each : known.groups) {
        const auto& [key, group] = each;
        const bool asked = of_thread == no_row ? known.issues(key.first) : key.first == of_thread;
        if (asked && group.named != Named::operation && !key.second.starts_with("backward of ") && group.operations > 0
            && once_in(iterations, group.instances) * one_of >= iterations.size() * (one_of - 1)
            && (best == nullptr || rank(group) > rank(best->second))) {
            best = &each;
        }
    }
    return best;
}

enum class Of : std::uint8_t { issuing_threads, other_threads, operators };

const RangeGroups::value_type* best_group(const Known& known, Of of)
{
    const RangeGroups::value_type* best = nullptr;
    const auto rank = [](const RangeGroup& group) { return std::pair(group.operations, group.length); };
    for (const auto& each : known.groups) {
        const bool asked = of == Of::operators ? each.second.named == Named::operation && known.issues(each.first.first)
                                               : each.second.named != Named::operation
                && known.issues(each.first.first) == (of == Of::issuing_threads) && !known.contradicts(each);
        if (asked && (best == nullptr || rank(each.second) > rank(best->second))) {
            best = &each;
        }
    }
    return best;
}

/// From `first` on: from its start to the end of the last operation that the thread's process issued in it.
Interval span_from(const Known& known, Row thread, const std::vector<Interval>& iterations, std::size_t first)
{
    const Trace& trace = known.trace;
    Interval span {iterations[first].start, iterations.back().end};
    Ns last = span.end;
    const bool of_one = thread != no_row && &known.times.of(thread) != &known.times.of(no_row);
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const bool of_another
            = of_one && trace.streams[trace.operations.stream[row]].process != trace.threads[thread].process;
        if (const Ns at = issue_time(trace, row); !of_another && at >= span.start && at < span.end) {
            last = std::max(last, trace.operations.end[row]);
        }
    }
    span.end = last;
    return span;
}

std::vector<Ns> durations_of(const std::vector<Interval>& iterations, std::size_t first)
{
    std::vector<Ns> durations;
    durations.reserve(iterations.size() - first);
    for (std::size_t i = first; i < iterations.size(); ++i) {
        durations.push_back(iterations[i].end - iterations[i].start);
    }
    return durations;
}

std::optional<Repetition> by_ranges(const Known& known, Of of)
{
    const auto* best = best_group(known, of);
    if (best == nullptr || known.trace.operations.size() == 0) {
        return std::nullopt;
    }
    const auto& [thread, own_name] = best->first;
    const auto& group = best->second;
    const auto& own = known.times.of(thread);
    if (!is_most(group.operations, own.size())) {
        return std::nullopt;
    }
    auto iterations = group.instances;
    std::string_view name = own_name, begins_with = own_name;
    const Interval whole {iterations.front().start, iterations.back().end};
    if (static_cast<double>(group.operations)
        < share_of_an_iteration * static_cast<double>(IssueTimes::within(own, whole))) {
        auto [around, starts] = starts_around(known.groups, thread, own_name, group);
        begins_with = around;
        iterations = periods_from(starts, whole.end, known.trace.duration);
    }
    if (const auto* giver = group.named == Named::backward ? name_giver(known, iterations, thread) : nullptr) {
        name = giver->first.second;
    }
    const auto durations = durations_of(iterations, 0);
    const std::size_t first = warm_up(durations);
    const std::size_t warm = warm_up(durations, 1);
    if (!is_most(IssueTimes::within(own, {iterations[warm].start, iterations.back().end}), own.size())) {
        return std::nullopt;  // the supposed warm-up did the work
    }
    return Repetition {{span_from(known, thread, iterations, first), iterations.size() - first,
                           SteadyState::Found::ranges, std::string(name), std::string(begins_with), thread},
        std::move(iterations)};
}

// ---- by launches

std::optional<Repetition> by_launches(const Known& known)
{
    if (!known.loop) {
        return std::nullopt;
    }
    const LaunchLoop& loop = *known.loop;
    const auto& iterations = loop.iterations;
    const std::size_t wait = iterations.size() - loop.before_wait < least_iterations ? 0 : loop.before_wait;
    const std::size_t first = wait + warm_up(durations_of(iterations, wait));
    const auto operations = std::accumulate(loop.operations.begin() + static_cast<std::ptrdiff_t>(first),
        loop.operations.end(), std::size_t {0}, [](std::size_t sum, const auto& of) { return sum + of.size(); });
    if (!is_most(operations, loop.of_all)) {
        return std::nullopt;
    }
    Interval span = iterations[first];
    for (std::size_t i = first; i < iterations.size(); ++i) {
        span.start = std::min(span.start, iterations[i].start);
        span.end = std::max(span.end, iterations[i].end);
    }
    SteadyState steady {span, iterations.size() - first, SteadyState::Found::launches, {}, {}, loop.thread};
    if (const auto* giver = name_giver(known, iterations, no_row)) {
        steady.name = giver->first.second;
        steady.thread = giver->first.first;
    }
    return Repetition {std::move(steady), iterations, loop.operations};
}

}  // namespace

bool names_a_place(std::string_view name)
{
    const auto open = name.rfind(" (");
    const auto line = name.rfind(':');
    return name.ends_with(')') && open != std::string_view::npos && line != std::string_view::npos && open < line
        && line + 2 < name.size() && name.substr(line + 1).find_first_not_of(ascii::digits) == name.size() - line - 2;
}

std::string_view without_number(std::string_view name)
{
    std::string_view rest = name;
    const bool in_brackets = rest.ends_with(')') || rest.ends_with(']');
    if (in_brackets) {
        rest.remove_suffix(1);
    }
    const auto last = rest.find_last_not_of(ascii::digits);
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

}  // namespace

std::optional<Repetition> find_repetition(const Trace& trace)
{
    const Known known {trace};
    for (const auto find : {+[](const Known& of) { return by_ranges(of, Of::issuing_threads); }, +by_launches,
             +[](const Known& of) { return by_ranges(of, Of::other_threads); },
             +[](const Known& of) { return by_ranges(of, Of::operators); }}) {
        if (auto found = find(known); found && !is_interrupted(*found)) {
            return found;
        }
    }
    return std::nullopt;
}

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
