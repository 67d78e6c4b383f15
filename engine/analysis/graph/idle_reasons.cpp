// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/idle_reasons.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/graph/held_back.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr Row looked_back = 256;  // operations of one stream that may still run as later ones begin: a graph's

class IdlePass {
public:
    IdlePass(const Graph& graph, Interval range, Ns least)
        : m_graph(graph)
        , m_trace(graph.trace())
        , m_ops(m_trace.operations)
        , m_held(graph, range)
        , m_least(least)
    {
        m_all.range = range;
    }
    IdleReasons run()
    {
        for (Row stream = 0; stream < m_trace.streams.size(); ++stream) {
            if (const auto rows = m_trace.operations_of(stream); !rows.empty()) {
                lane(stream, rows);
            }
        }
        // A stream that nobody uses in the range is not idle for a reason.
        const bool any
            = std::any_of(m_all.lanes.begin(), m_all.lanes.end(), [](const auto& of) { return of.busy > 0; });
        for (auto& of : m_all.lanes) {
            of.counts = !any || of.busy > 0;
            for (std::size_t reason = 0; of.counts && reason < idle_reason_count; ++reason) {
                m_all.idle[reason] += of.idle[reason];
            }
        }
        return std::move(m_all);
    }

private:
    void lane(Row stream, RowSpan rows);
    void gap(Interval span, Row next);
    void waited(Interval span, Row next, Row call);
    void launched(Interval span, Row next, Row call);
    Row latest_event(Row operation) const;
    Row legacy_before(Row operation, Ns ready) const;

    void add(Ns until, IdleReason reason, EventRef because, Row next)
    {
        until = std::min(until, m_end);
        if (until <= m_at) {
            return;
        }
        const auto place = static_cast<std::size_t>(reason);
        m_lane->idle[place] += until - m_at;
        if (until - m_at >= m_least) {
            m_lane->parts.push_back({{m_at, until}, reason, because, next});
        }
        m_at = until;
    }

    const Graph& m_graph;
    const Trace& m_trace;
    const OperationTable& m_ops;
    HeldBack m_held;
    Ns m_least;
    IdleReasons m_all;
    LaneIdle* m_lane = nullptr;
    Ns m_at = 0, m_end = 0;  ///< of the gap: up to where it is explained, and its end
};

void IdlePass::lane(Row stream, RowSpan rows)
{
    const Interval range = m_all.range;
    m_lane = &m_all.lanes.emplace_back();
    m_lane->stream = stream;
    const auto begin = m_ops.start.begin();
    auto row = static_cast<Row>(std::lower_bound(begin + rows.begin, begin + rows.end, range.start) - begin);
    Ns free = range.start;
    for (Row before = row, steps = 0; before > rows.begin && steps < looked_back; ++steps) {
        free = std::max(free, m_ops.end[--before]);
    }
    m_lane->busy += std::min(free, range.end) - range.start;
    for (; row < rows.end && free < range.end; ++row) {
        if (m_ops.start[row] > free) {
            gap({free, std::min(m_ops.start[row], range.end)}, row);
            free = m_ops.start[row];
        }
        const Ns end = std::min(m_ops.end[row], range.end);
        m_lane->busy += std::max<Ns>(0, end - std::min(free, range.end));
        free = std::max(free, m_ops.end[row]);
    }
    if (free < range.end) {
        m_at = free;
        m_end = range.end;
        add(range.end, IdleReason::nothing, {}, no_row);
    }
}

void IdlePass::gap(Interval span, Row next)
{
    m_at = span.start;
    m_end = span.end;
    const Row call = outermost(m_trace.calls, m_ops.call[next]);
    if (call == no_row || m_trace.calls.thread[call] == no_row) {
        const bool at_once = m_graph.starts().cause(next) == StartCause::stream;
        add(span.end, at_once ? IdleReason::hand_over : IdleReason::unknown, {}, next);
        return;
    }
    const Ns submitted = m_trace.calls.start[call];
    if (submitted > span.start) {
        for (const auto& stretch :
            m_held.within(m_trace.calls.thread[call], {span.start, std::min(submitted, span.end)})) {
            const bool late = stretch.reason == IdleReason::late;
            add(stretch.span.end, stretch.reason, late ? EventRef {EventTable::calls, call} : stretch.because, next);
        }
    }
    waited(span, next, call);
}

/// The part of the gap after the operation's call was made.
void IdlePass::waited(Interval span, Row next, Row call)
{
    const auto cause = m_graph.starts().cause(next);
    const Row after = m_graph.starts().after(next);
    const EventRef because = after == no_row ? EventRef {} : EventRef {EventTable::operations, after};
    switch (cause) {
    case StartCause::unknown:
        add(span.end, IdleReason::unknown, {}, next);
        return;
    case StartCause::launch:
        launched(span, next, call);
        return;
    case StartCause::stream:
        add(span.end, IdleReason::hand_over, {}, next);
        return;
    case StartCause::event:
        add(m_ops.end[after], IdleReason::event, because, next);
        break;
    case StartCause::graph:
        add(m_ops.end[after], IdleReason::graph, because, next);
        break;
    case StartCause::legacy:
        add(m_ops.end[after], IdleReason::legacy, because, next);
        break;
    case StartCause::engine:
    case StartCause::multiprocessors: {
        const Ns ready = m_ops.start[next] - m_graph.starts().ready_time(next);
        if (const Row event = latest_event(next); event != no_row && m_ops.end[event] <= ready + ordinary_call) {
            add(std::min(ready, m_ops.end[event]), IdleReason::event, {EventTable::operations, event}, next);
        }
        if (const Row other = legacy_before(next, ready); other != no_row) {
            add(std::min(ready, m_ops.end[other]), IdleReason::legacy, {EventTable::operations, other}, next);
        }
        add(ready, ready - m_at > ordinary_call ? IdleReason::unknown : IdleReason::hand_over, {}, next);
        add(span.end, cause == StartCause::engine ? IdleReason::engine : IdleReason::multiprocessors, because, next);
        break;
    }
    }
    add(span.end, IdleReason::hand_over, {}, next);
}

/// The part during its call, which may have loaded code or waited for room before it handed the operation over.
void IdlePass::launched(Interval span, Row next, Row call)
{
    for (const auto& stretch : m_held.within(m_trace.calls.thread[call], {m_at, span.end})) {
        const bool within_call = stretch.reason == IdleReason::loading || stretch.reason == IdleReason::queue_full
            || stretch.reason == IdleReason::memory || stretch.reason == IdleReason::start_up;
        add(stretch.span.end, within_call ? stretch.reason : IdleReason::hand_over, stretch.because, next);
    }
}

/// Of the operations of other streams that an event put before this one, the one that ended last.
Row IdlePass::latest_event(Row operation) const
{
    const auto& behind = m_graph.dependencies().behind;
    auto at = std::partition_point(
        behind.begin(), behind.end(), [&](const auto& edge) { return edge.operation < operation; });
    Row last = no_row;
    for (; at != behind.end() && at->operation == operation; ++at) {
        last = last == no_row || m_ops.end[at->before] > m_ops.end[last] ? at->before : last;
    }
    return last;
}

/// An operation on the other side of the legacy default stream that ended just before `ready`.
Row IdlePass::legacy_before(Row operation, Ns ready) const
{
    const auto& dependencies = m_graph.dependencies();
    const Row stream = m_ops.stream[operation];
    const auto context = dependencies.context_of[stream];
    if (context == Dependencies::no_context || ready - m_at <= ordinary_call) {
        return no_row;
    }
    const auto& order = dependencies.operations;
    auto at = std::partition_point(order.begin(), order.end(), [&](Row row) { return m_ops.start[row] < ready; });
    for (Row steps = 0; steps < looked_back && at != order.begin(); ++steps) {
        const Row other = *--at;
        if (dependencies.context_of[m_ops.stream[other]] == context
            && dependencies.legacy[m_ops.stream[other]] != dependencies.legacy[stream] && m_ops.end[other] <= ready
            && m_ops.end[other] + ordinary_call > ready) {
            return other;
        }
    }
    return no_row;
}

}  // namespace

std::string_view name_of(IdleReason reason)
{
    constexpr std::array<std::string_view, idle_reason_count> names {"late", "sync", "pageable", "memory", "queue_full",
        "host_wait", "loading", "start_up", "same_stream", "event", "graph", "legacy", "engine", "multiprocessors",
        "hand_over", "nothing", "unknown"};
    return names[static_cast<std::size_t>(reason)];
}

std::vector<IdleReason> reasons_by_time(const ReasonTimes& times, Ns least)
{
    std::vector<IdleReason> reasons;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i] >= least) {
            reasons.push_back(static_cast<IdleReason>(i));
        }
    }
    std::stable_sort(reasons.begin(), reasons.end(), [&](IdleReason a, IdleReason b) {
        return times[static_cast<std::size_t>(a)] > times[static_cast<std::size_t>(b)];
    });
    return reasons;
}

IdleReasons idle_reasons(const Graph& graph, Interval range, Ns least)
{
    range.end = std::max(range.start, std::min(range.end, graph.last_end()));
    return IdlePass(graph, range, least).run();
}

}  // namespace lanes
