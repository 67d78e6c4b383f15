// SPDX-License-Identifier: MIT
#include "engine/analysis/compare/changes.h"

#include "engine/analysis/graph/rows_in.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace lanes {

namespace {

constexpr std::size_t most_changes = 20;

/// A cause by its text, so that two recordings can be compared.
using NamedCause = std::tuple<PathPart::Kind, EventTable, std::string>;

struct PartTimes {
    std::map<NamedCause, Ns> path;
    std::map<std::string, Ns> whole;  ///< of operations, by name, cut at the stretch
    std::map<std::string, std::set<std::string>> streams;  ///< by name of operation
    std::array<MaybeNs, block_cause_count> blocked;
    ReasonTimes idle {};
};

PartTimes part_times(const ChangedPart& part)
{
    const auto& trace = part.graph.trace();
    PartTimes times;
    for (const auto& [cause, time] : path_times(part.graph, part.span)) {
        times.path[{cause.kind, cause.table, std::string(shown_name(trace, cause.table, cause.name))}] += time;
    }
    for (const Row row : rows_in(part.graph, part.span)) {
        const auto name = std::string(trace.text(trace.operations.name[row]));
        times.whole[name] += std::min(trace.operations.end[row], part.span.end)
            - std::max(trace.operations.start[row], part.span.start);
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
    return a == 0 ? CauseOfChange::came
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

Ns found_in(const std::map<std::string, Ns>& times, const std::string& name)
{
    const auto found = times.find(name);
    return found == times.end() ? 0 : found->second;
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
            // Its time off the path.
            const Ns whole_a = found_in(a.whole, name);
            const Ns whole_b = found_in(b.whole, name);
            const Ns beside = (whole_b - time.second) - (whole_a - time.first);
            if (more < 0 && (beside >= -more / 2 || (time.second < least && whole_b >= least))) {
                change.note = CauseOfChange::hidden;
            } else if (more > 0 && (beside <= -more / 2 || (time.first < least && whole_a >= least))) {
                change.note = CauseOfChange::exposed;
            }
        }
        all.push_back(std::move(change));
    }
}

}  // namespace

std::string_view name_of(CauseOfChange::Kind kind)
{
    constexpr std::array<std::string_view, 4> names {"path", "blocked", "idle", "moved"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(CauseOfChange::Note note)
{
    constexpr std::array<std::string_view, 6> names {"longer", "shorter", "came", "gone", "hidden", "exposed"};
    return names[static_cast<std::size_t>(note)];
}

std::vector<CauseOfChange> changes_between(const ChangedPart& of_a, const ChangedPart& of_b)
{
    const auto a = part_times(of_a);
    const auto b = part_times(of_b);
    const Ns least = std::max<Ns>(1, std::max(of_a.span.end - of_a.span.start, of_b.span.end - of_b.span.start) / 100);
    std::array<std::vector<CauseOfChange>, 4> kinds;
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
    std::vector<CauseOfChange> all;
    for (auto& of_kind : kinds) {
        std::stable_sort(of_kind.begin(), of_kind.end(),
            [](const CauseOfChange& x, const CauseOfChange& y) { return std::abs(x.b - x.a) > std::abs(y.b - y.a); });
        of_kind.resize(std::min(of_kind.size(), most_changes));
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

}  // namespace

ComparedParts parts_to_compare(
    const Graph& a, const RecordingBounds& bounds_a, const Graph& b, const RecordingBounds& bounds_b)
{
    const auto of_a = iterations_of(a, bounds_a);
    const auto of_b = of_a ? iterations_of(b, bounds_b) : std::nullopt;
    if (of_a && of_b && are_of_one_kind(*of_a, *of_b)) {
        return {of_a->all[of_a->typical].span, of_b->all[of_b->typical].span, true, of_a->typical + 1,
            of_b->typical + 1, of_a->all.size(), of_b->all.size()};
    }
    return {{0, a.last_end()}, {0, b.last_end()}};
}

}  // namespace lanes
