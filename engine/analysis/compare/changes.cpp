// SPDX-License-Identifier: MIT
#include "engine/analysis/compare/changes.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/graph/rows_in.h"
#include "engine/analysis/graph/why.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace lanes {

namespace {

constexpr std::size_t most_changes = 20;
constexpr std::size_t change_kinds = 7;

/// A cause by its text, so that two recordings can be compared.
using NamedCause = std::tuple<PathPart::Kind, EventTable, std::string>;

/// What time on a critical path is spent on. Calls that issue nothing are apart from those that do.
enum class PathGroup : std::uint8_t { operation, issuing, call, step, work, handover, between, unknown };
constexpr double much_apart = 1.05, a_little_apart = 1.02;  // two ratios of times
constexpr std::size_t path_groups = 8;

PathGroup group_of(PathPart::Kind kind, bool issues)
{
    switch (kind) {
    case PathPart::operation:
        return PathGroup::operation;
    case PathPart::launch:
        return PathGroup::issuing;
    case PathPart::step:
        return PathGroup::step;
    case PathPart::call:
        return issues ? PathGroup::issuing : PathGroup::call;
    case PathPart::work:
        return PathGroup::work;
    case PathPart::handover:
    case PathPart::inferred:
        return PathGroup::handover;
    case PathPart::between:
        return PathGroup::between;
    case PathPart::unknown:
        break;
    }
    return PathGroup::unknown;
}

struct PartTimes {
    std::map<NamedCause, Ns> path;
    std::array<Ns, path_groups> groups {};  ///< of the path; the sum is the stretch's length
    std::array<std::uint64_t, path_groups> counts {};  ///< of operations and calls that begin in the stretch
    Ns busy = 0;  ///< the sum of its operations, cut at the stretch
    std::map<std::string, Ns> whole;  ///< of operations, by name, cut at the stretch
    std::map<std::string, std::uint64_t> begun;  ///< how many of them begin in the stretch
    std::map<std::string, Ns> ranges;  ///< of operations, by the range in which they were issued; "": in none
    std::map<std::string, std::uint64_t> begun_in_ranges;
    std::map<std::string, std::set<std::string>> streams;  ///< by name of operation
    std::string python;  ///< python_in()
    std::array<MaybeNs, block_cause_count> blocked;
    ReasonTimes idle {};
};

void count_calls(const Trace& trace, Interval span, PartTimes& times)
{
    const auto& calls = trace.calls;
    auto row
        = static_cast<Row>(std::lower_bound(calls.start.begin(), calls.start.end(), span.start) - calls.start.begin());
    for (; row < calls.size() && calls.start[row] < span.end; ++row) {
        if (calls.outer[row] == no_row) {
            const bool issues = issues_operation(trace.text(calls.name[row]));
            ++times.counts[static_cast<std::size_t>(group_of(PathPart::call, issues))];
        }
    }
}

/// What operation was issued in: "fc1: Linear"; "": in none. The iteration's own range counts, too: whether it is as
/// long as the iteration depends on how far the CPU ran ahead, and so may differ between the two.
std::string range_of(const ChangedPart& part, Row operation)
{
    const auto& trace = part.graph.trace();
    const auto owner = part.graph.owners().of(operation);
    if (owner.thread == no_row) {
        return {};
    }
    if (owner.within != 0) {
        const auto& owners = part.graph.owners();
        return std::string(owners.text(owner, owner.has(OwnerPart::module) ? OwnerPart::module : OwnerPart::range));
    }
    const auto& of = part.graph.ranges();
    const Row range = of.named_at(owner.thread, owner.time);
    if (range == no_row) {
        return {};
    }
    return std::string(shown_name(trace, EventTable::ranges, of.name_of({EventTable::ranges, range})));
}

/// Where Python was most often between calls, with its part of the samples: "spin (prog.py:8), 90/120"; "": unknown. An
/// iteration has few samples, so those of all iterations count.
std::string python_in(const ChangedPart& part)
{
    if (part.graph.sampled().interval() == 0) {
        return {};
    }
    auto span = part.span;
    if (const auto loop = iterations_of(part.graph, part.bounds)) {
        const Interval all {loop->all.front().span.start, loop->all.back().span.end};
        span = all.start <= span.start && span.end <= all.end ? all : span;
    }
    const auto tally = python_places(part.graph, span);
    const auto most = tally.by_count(1);
    return most.empty() ? std::string()
                        : std::string(part.graph.trace().text(most.front().first)) + ", "
            + std::to_string(most.front().second) + "/" + std::to_string(tally.all);
}

PartTimes part_times(const ChangedPart& part)
{
    const auto& trace = part.graph.trace();
    PartTimes times;
    Ns rest = part.span.end - part.span.start;
    for (const auto& [cause, time] : path_times(part.graph, part.span, part.bounds.first_thread)) {
        const auto name = shown_name(trace, cause.table, cause.name);
        times.path[{cause.kind, cause.table, std::string(name)}] += time;
        times.groups[static_cast<std::size_t>(group_of(cause.kind, issues_operation(name)))] += time;
        rest -= time;
    }
    times.groups[static_cast<std::size_t>(PathGroup::unknown)] += rest;
    times.python = python_in(part);
    count_calls(trace, part.span, times);
    for (const Row row : rows_in(part.graph, part.span)) {
        const auto name = std::string(trace.text(trace.operations.name[row]));
        const Ns time = std::min(trace.operations.end[row], part.span.end)
            - std::max(trace.operations.start[row], part.span.start);
        times.whole[name] += time;
        times.busy += time;
        const bool begins = trace.operations.start[row] >= part.span.start;
        times.counts[static_cast<std::size_t>(PathGroup::operation)] += begins ? 1U : 0U;
        times.begun[name] += begins ? 1U : 0U;
        const auto range = range_of(part, row);
        times.ranges[range] += time;
        times.begun_in_ranges[range] += begins ? 1U : 0U;
        times.streams[name].insert(printable(trace.full_label_of(trace.streams[trace.operations.stream[row]])));
    }
    const auto figures = make_figures(trace, part.graph.blocking(), part.bounds, part.span);
    if (const auto* first = figures.first_thread(); first != nullptr) {
        times.blocked = first->blocked_by;
    }
    times.idle = idle_reasons(part.graph, part.span).idle;
    return times;
}

CauseOfChange::Note note_of(Ns a, Ns b)
{
    return a == b ? CauseOfChange::equal
        : a == 0  ? CauseOfChange::came
        : b == 0  ? CauseOfChange::gone
        : b > a   ? CauseOfChange::longer
                  : CauseOfChange::shorter;
}

std::string joined(const std::set<std::string>& names)
{
    std::string all;
    for (const auto& name : names) {
        all += (all.empty() ? "" : ", ") + name;
    }
    return all;
}

template <class T> T found_in(const std::map<std::string, T>& times, const std::string& name)
{
    const auto found = times.find(name);
    return found == times.end() ? 0 : found->second;
}

struct Both {
    Ns a = 0, b = 0;
};

/// Of operations: whether what the path lost or won runs off the path instead.
CauseOfChange::Note note_of_operations(Both path, Both whole, Ns least)
{
    const Ns more = path.b - path.a;
    const Ns beside = (whole.b - path.b) - (whole.a - path.a);
    if (more < 0 && (beside >= -more / 2 || (path.b < least && whole.b >= least))) {
        return CauseOfChange::hidden;
    }
    if (more > 0 && (beside <= -more / 2 || (path.a < least && whole.a >= least))) {
        return CauseOfChange::exposed;
    }
    return note_of(path.a, path.b);
}

std::vector<CauseOfChange> waterfall_of(const PartTimes& a, const PartTimes& b, Ns least)
{
    constexpr std::array<std::string_view, path_groups> names {
        "operation", "issuing", "call", "step", "work", "handover", "between", "unknown"};
    std::vector<CauseOfChange> all;
    Both sum, rest;
    for (std::size_t group = 0; group < path_groups; ++group) {
        const Both time {a.groups[group], b.groups[group]};
        sum = {sum.a + time.a, sum.b + time.b};
        if (std::abs(time.b - time.a) < least) {
            rest = {rest.a + time.a, rest.b + time.b};
            continue;
        }
        const auto note = group == static_cast<std::size_t>(PathGroup::operation)
            ? note_of_operations(time, {a.busy, b.busy}, least)
            : note_of(time.a, time.b);
        Message what {"change.part." + std::string(names[group]), {}};
        if (group == static_cast<std::size_t>(PathGroup::between) && a.python.size() + b.python.size() > 0) {
            what = {"change.part.between_sampled",
                {{"a", a.python.empty() ? "?" : a.python}, {"b", b.python.empty() ? "?" : b.python}}};
        }
        all.push_back({CauseOfChange::waterfall, note, std::move(what), time.a, time.b, {}, {}, a.counts[group],
            b.counts[group]});
    }
    if (std::abs(sum.b - sum.a) < least) {
        return {};
    }
    std::stable_sort(all.begin(), all.end(), [](const CauseOfChange& x, const CauseOfChange& y) {
        const Ns more_x = x.b - x.a;
        const Ns more_y = y.b - y.a;
        return (more_x < 0) != (more_y < 0) ? more_x < 0 : std::abs(more_x) > std::abs(more_y);
    });
    if (rest.a != rest.b) {
        all.push_back(
            {CauseOfChange::waterfall, note_of(rest.a, rest.b), {"change.part.other", {}}, rest.a, rest.b, {}, {}});
    }
    return all;
}

void add_path(std::vector<CauseOfChange>& all, const PartTimes& a, const PartTimes& b, Ns least)
{
    std::map<NamedCause, std::pair<Ns, Ns>> both;
    for (const auto& [cause, time] : a.path) {
        both[cause].first = time;
    }
    for (const auto& [cause, time] : b.path) {
        both[cause].second = time;
    }
    for (const auto& [cause, time] : both) {
        const auto& [kind, table, name] = cause;
        const Ns more = time.second - time.first;
        if (std::abs(more) < least) {
            continue;
        }
        CauseOfChange change {
            CauseOfChange::path, note_of(time.first, time.second), {}, time.first, time.second, {}, {}};
        change.what = cause_message(kind, table, name);
        if (kind == PathPart::operation) {
            change.note = note_of_operations(
                {time.first, time.second}, {found_in(a.whole, name), found_in(b.whole, name)}, least);
        }
        all.push_back(std::move(change));
    }
}

void sort_by_difference(std::vector<CauseOfChange>& all)
{
    std::stable_sort(all.begin(), all.end(),
        [](const CauseOfChange& x, const CauseOfChange& y) { return std::abs(x.b - x.a) > std::abs(y.b - y.a); });
}

/// What operations take by name or by range.
struct NamedTimes {
    const std::map<std::string, Ns>& times;
    const std::map<std::string, std::uint64_t>& begun;
};

/// The names that differ most, and the sum of the others.
std::vector<CauseOfChange> by_name(CauseOfChange::Kind kind, const NamedTimes& a, const NamedTimes& b)
{
    std::map<std::string, Both> both;
    for (const auto& [name, time] : a.times) {
        both[name].a = time;
    }
    for (const auto& [name, time] : b.times) {
        both[name].b = time;
    }
    std::vector<CauseOfChange> all;
    bool differs = false;
    for (const auto& [name, time] : both) {
        Message what {"iteration.cause.operation", {{"name", name}}};
        if (name.empty()) {
            what = {"change.in_no_range", {}};
        }
        all.push_back({kind, note_of(time.a, time.b), std::move(what), time.a, time.b, {}, {}, found_in(a.begun, name),
            found_in(b.begun, name)});
        differs = differs || time.a != time.b;
    }
    if (!differs) {
        return {};
    }
    sort_by_difference(all);
    if (all.size() > most_changes) {
        CauseOfChange rest {kind, CauseOfChange::longer, {}, 0, 0, {}, {}};
        for (std::size_t at = most_changes - 1; at < all.size(); ++at) {
            rest.a += all[at].a;
            rest.b += all[at].b;
            rest.count_a += all[at].count_a;
            rest.count_b += all[at].count_b;
        }
        rest.note = note_of(rest.a, rest.b);
        rest.what = {"change.other_names", {{"count", std::to_string(all.size() - most_changes + 1)}}};
        all.resize(most_changes - 1);
        all.push_back(std::move(rest));
    }
    return all;
}

}  // namespace

std::string_view name_of(CauseOfChange::Kind kind)
{
    constexpr std::array<std::string_view, change_kinds> names {
        "waterfall", "operation", "range", "path", "blocked", "idle", "moved"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(CauseOfChange::Note note)
{
    constexpr std::array<std::string_view, 7> names {"longer", "shorter", "equal", "came", "gone", "hidden", "exposed"};
    return names[static_cast<std::size_t>(note)];
}

std::vector<CauseOfChange> changes_between(const ChangedPart& of_a, const ChangedPart& of_b)
{
    const auto a = part_times(of_a);
    const auto b = part_times(of_b);
    const Ns least = std::max<Ns>(1, std::max(of_a.span.end - of_a.span.start, of_b.span.end - of_b.span.start) / 100);
    std::array<std::vector<CauseOfChange>, change_kinds> kinds;
    add_path(kinds[CauseOfChange::path], a, b, least);
    for (std::size_t cause = 0; cause < block_cause_count; ++cause) {
        if (a.blocked[cause] && b.blocked[cause] && std::abs(*b.blocked[cause] - *a.blocked[cause]) >= least) {
            kinds[CauseOfChange::blocked].push_back(
                {CauseOfChange::blocked, note_of(*a.blocked[cause], *b.blocked[cause]),
                    {"cause." + std::string(name_of(static_cast<BlockCause>(cause))), {}}, *a.blocked[cause],
                    *b.blocked[cause], {}, {}});
        }
    }
    for (std::size_t reason = 0; reason < idle_reason_count; ++reason) {
        if (std::abs(b.idle[reason] - a.idle[reason]) >= least
            && reason != static_cast<std::size_t>(IdleReason::nothing)) {
            kinds[CauseOfChange::idle].push_back({CauseOfChange::idle, note_of(a.idle[reason], b.idle[reason]),
                {"reason." + std::string(name_of(static_cast<IdleReason>(reason))), {}}, a.idle[reason], b.idle[reason],
                {}, {}});
        }
    }
    for (const auto& [name, streams] : a.streams) {
        const auto other = b.streams.find(name);
        const Ns time_a = found_in(a.whole, name);
        const Ns time_b = found_in(b.whole, name);
        if (other != b.streams.end() && other->second != streams && std::max(time_a, time_b) >= least) {
            kinds[CauseOfChange::moved].push_back(
                {CauseOfChange::moved, note_of(time_a, time_b), {"iteration.cause.operation", {{"name", name}}}, time_a,
                    time_b, joined(streams), joined(other->second)});
        }
    }
    auto all = waterfall_of(a, b, least);
    for (auto& of_kind : kinds) {
        sort_by_difference(of_kind);
        of_kind.resize(std::min(of_kind.size(), most_changes));
    }
    kinds[CauseOfChange::operation] = by_name(CauseOfChange::operation, {a.whole, a.begun}, {b.whole, b.begun});
    if (a.ranges.size() > 1 || b.ranges.size() > 1) {
        kinds[CauseOfChange::range]
            = by_name(CauseOfChange::range, {a.ranges, a.begun_in_ranges}, {b.ranges, b.begun_in_ranges});
    }
    for (const auto& of_kind : kinds) {
        all.insert(all.end(), of_kind.begin(), of_kind.end());
    }
    return all;
}

namespace {

/// Whether an iteration of one is the same piece of work as one of the other, however many there are.
bool are_of_one_kind(const Iterations& a, const Iterations& b)
{
    if (a.all.size() == b.all.size()) {
        return true;
    }
    return a.found == b.found && a.name == b.name
        && (a.found == SteadyState::Found::ranges || a.all[a.typical].kernels == b.all[b.typical].kernels);
}

double factor_of(Ns a, Ns b)
{
    return static_cast<double>(b) / static_cast<double>(a);
}

bool is_same_factor(double factor)
{
    constexpr double least = 1.005;  // no less is another one once it is rounded
    return factor < least && factor > 1 / least;
}

}  // namespace

std::optional<ComparedParts> iterations_to_compare(
    const Iterations& a, std::size_t at_a, const Iterations& b, std::size_t at_b)
{
    if (!are_of_one_kind(a, b)) {
        return std::nullopt;
    }
    return ComparedParts {a.all[at_a].span, b.all[at_b].span, true, at_a + 1, at_b + 1, a.all.size(), b.all.size(),
        average_wall(a), average_wall(b), a.all[at_a].kernels, b.all[at_b].kernels};
}

bool are_the_same_time(Ns a, Ns b)
{
    return is_same_factor(factor_of(a, b));
}

bool ComparedParts::hides_the_average() const
{
    const Ns of_a = a.end - a.start, of_b = b.end - b.start;
    if (of_a <= 0 || of_b <= 0 || average_a <= 0 || average_b <= 0) {
        return false;
    }
    const double typical = factor_of(of_a, of_b), average = factor_of(average_a, average_b);
    const double apart = std::max(typical / average, average / typical);
    const bool disagree
        = (typical < 1) != (average < 1) || are_the_same_time(of_a, of_b) != are_the_same_time(average_a, average_b);
    return apart >= much_apart || (disagree && apart >= a_little_apart);
}

ComparedParts parts_to_compare(
    const std::optional<Iterations>& a, Interval all_a, const std::optional<Iterations>& b, Interval all_b)
{
    const auto parts = a && b ? iterations_to_compare(*a, a->typical, *b, b->typical) : std::nullopt;
    return parts.value_or(ComparedParts {all_a, all_b});
}

}  // namespace lanes
