// SPDX-License-Identifier: MIT
#include "engine/replay/changes/edit.h"

#include "engine/analysis/figures/value_copies.h"
#include "engine/replay/changes/changes.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace lanes::replay {

Selection::Selection(const Change& change, const Graph& graph)
    : m_trace(graph.trace())
    , m_query(change.on, graph.trace(), &graph.blocking())
    , m_rows(change.rows.get())
{
    if (!change.finding.empty() && m_rows == nullptr) {
        throw std::logic_error("a change of '" + change.finding + "' without its rows");
    }
}

bool Selection::range_with_own_time(Row row) const
{
    const auto& range = m_trace.ranges[row];
    if (!m_query.range(row) || is_sampled(m_trace, row)) {
        return false;
    }
    if (m_rows == nullptr) {
        return true;
    }
    const auto& own_time = m_rows->own_time;
    return range.thread < own_time.size()
        && std::any_of(own_time[range.thread].begin(), own_time[range.thread].end(),
            [&](const Interval& own) { return own.start < range.end && range.start < own.end; });
}

std::uint32_t Edit::next(std::uint32_t index) const
{
    const auto end = end_of(script.items[index]);
    for (++index; index < end; ++index) {
        const auto& item = script.items[index];
        if (!item.dropped && item.type != CallClass::own_state && item.type != CallClass::query) {
            break;
        }
    }
    return index;
}

bool Edit::issues_more(std::uint32_t index) const
{
    for (auto at = index + 1; at < end_of(script.items[index]); ++at) {
        if (script.items[at].operations > 0 && !script.items[at].dropped) {
            return true;
        }
    }
    return false;
}

bool Edit::waits_again(std::uint32_t index, std::uint32_t stream) const
{
    for (auto at = index + 1; at < end_of(script.items[index]); ++at) {
        const auto& item = script.items[at];
        if (!item.dropped
            && (item.wait == Item::context || (item.wait == Item::stream && item.target == stream)
                || item.wait == Item::event)) {
            return true;
        }
    }
    return false;
}

const Operation* Edit::result_of(std::uint32_t index) const
{
    for (auto at = index + 1; at > script.first_item[script.items[index].thread]; --at) {
        const auto& item = script.items[at - 1];
        if (!item.dropped && item.operations > 0) {
            const auto* const copy = copy_of(item);
            return copy != nullptr && copy->kind == OperationKind::d2h ? copy : nullptr;
        }
        if (!is_sync(script.items[index])) {
            break;
        }
    }
    return nullptr;
}

Ns Edit::works_after(std::uint32_t index) const
{
    Ns time = 0;
    for (auto at = index + 1; at < end_of(script.items[index]); ++at) {
        const auto& item = script.items[at];
        time += item.gap;
        if (!item.dropped && (item.operations > 0 || item.wait != Item::nothing)) {
            break;
        }
        time += item.dropped ? 0 : item.own;
    }
    return time;
}

bool Edit::is_read_next(std::uint32_t index) const
{
    constexpr Ns most_likely_reads = 1'000'000;
    const auto* const result = result_of(index);
    if (result != nullptr && fetches_value(trace, result->row)) {
        return true;
    }
    if (guards_result(index) && works_after(index) >= most_likely_reads) {
        return true;
    }
    for (auto at = index + 1; at < end_of(script.items[index]); ++at) {
        const auto& item = script.items[at];
        if (item.kind == Item::read && !item.dropped) {
            return true;
        }
        if (!item.dropped && (is_sync(item) || item.wait == Item::own_work)) {
            return false;
        }
    }
    return false;
}

void Edit::drop(std::uint32_t index)
{
    auto& item = script.items[index];
    item.dropped = true;
    for (std::uint32_t i = 0; i < item.operations; ++i) {
        script.operations[item.first_operation + i].dropped = true;
    }
    item.gap -= way.keeps_gaps ? 0 : std::min(item.gap, longest_own_gap);
    item.stays = item.gap > 0 || item.behind != none;
    applied.drops_calls = true;
}

const Operation* Edit::copy_of(const Item& item) const
{
    if (item.operations != 1 || item.dropped || item.kind != Item::call) {
        return nullptr;
    }
    const auto& operation = script.operations[item.first_operation];
    const bool of_host = operation.kind == OperationKind::h2d || operation.kind == OperationKind::d2h;
    return of_host && !operation.dropped && !operation.of_graph ? &operation : nullptr;
}

bool Edit::is_meant(const Operation& copy) const
{
    const bool is_of_direction = change.direction == Direction::both
        || (change.direction == Direction::uploads) == (copy.kind == OperationKind::h2d);
    return is_of_direction && !fetches_value(trace, copy.row) && on.operation(copy.row);
}

Ns Edit::copy_time(std::uint64_t bytes, OperationKind kind) const
{
    const auto& constants = script.constants;
    const bool up = kind == OperationKind::h2d;
    const double rate = up ? constants.h2d_rate : constants.d2h_rate;
    return (up ? constants.table.h2d_overhead : constants.table.d2h_overhead)
        + static_cast<Ns>(std::llround(static_cast<double>(bytes) / rate));
}

std::uint32_t Edit::new_stream(std::uint32_t home)
{
    auto stream = script.streams[home];
    stream.home = home;
    stream.within = none;
    stream.legacy = stream.blocking = false;
    stream.uploads = stream.downloads = stream.collectives = none;
    stream.dealt.clear();
    stream.row = no_row;
    script.streams.push_back(stream);
    return static_cast<std::uint32_t>(script.streams.size() - 1);
}

void Edit::move(std::uint32_t index, std::uint32_t stream)
{
    auto& operation = script.operations[index];
    operation.stream = stream;
    if (operation.bound == StartCause::stream) {
        operation.bound = StartCause::unknown;
    }
}

std::vector<std::vector<std::uint32_t>> Edit::issued() const
{
    std::vector<std::vector<std::uint32_t>> streams(script.streams.size());
    for (auto index = script.before; index < script.operations.size(); ++index) {
        const auto& operation = script.operations[index];
        if (!operation.dropped && !operation.of_graph && script.streams[operation.stream].home == none) {
            streams[operation.stream].push_back(index);
        }
    }
    return streams;
}

bool Edit::add_assumption(const char* id, Message::Arguments arguments)
{
    Assumption assumption {{std::string("whatif.assumes.") + id, std::move(arguments)}};
    const auto found = answers.find(assumption.word());
    if (found != answers.end()) {
        assumption.state = found->second ? Assumption::confirmed : Assumption::lifted;
    }
    applied.assumptions.push_back(std::move(assumption));
    return applied.assumptions.back().state == Assumption::lifted;
}

namespace {

/// CUDA starts up in the first call that needs a context. Where a change leaves that call out, or makes it shorter, the
/// next one makes the context: its thread takes the time all the same.
void keep_start_up(Script& script)
{
    for (auto& item : script.items) {
        if (item.makes_context == 0) {
            continue;
        }
        if (item.dropped) {
            item.gap = item.makes_context + (item.stays ? item.gap : 0);
            item.stays = true;
            item.makes_context = 0;  // it is in the gap now
        } else {
            item.own = std::max(item.own, item.makes_context);
        }
    }
}

Applied made(Script& script, const Graph& graph, const Change& change, Way way, const Answers& answers)
{
    Edit edit(script, graph, change, way, answers);
    row_of(change.kind).make(edit);
    keep_start_up(script);
    return std::move(edit.applied);
}

}  // namespace

Applied apply(Script& script, const Graph& graph, const Change& change, Way way, const Answers& answers)
{
    const bool can_be_refused
        = std::any_of(answers.begin(), answers.end(), [](const auto& answer) { return !answer.second; });
    if (!can_be_refused) {
        return made(script, graph, change, way, answers);
    }
    auto edited = script;
    auto applied = made(edited, graph, change, way, answers);
    const auto old_bytes = answers.find("old-bytes");
    applied.is_refused
        = applied.is_refused || (applied.old_bytes > 0 && old_bytes != answers.end() && !old_bytes->second);
    if (applied.is_refused) {
        applied.count = 0;
        applied.drops_calls = applied.loads_ahead = applied.guesses_loading = false;
    } else {
        script = std::move(edited);
    }
    return applied;
}

}  // namespace lanes::replay
