// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/graph.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/figures/operators.h"
#include "engine/trace/event.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <vector>

namespace lanes {

namespace {

constexpr std::size_t looked_at = 256;  // operations, to find the one that ended at a given time

/// Whether it is more than a look at the state of the GPU or of the thread.
bool is_work(const Trace& trace, const std::vector<CallClass>& classes, EventRef item)
{
    if (item.table != EventTable::calls) {
        return true;
    }
    const auto name = trace.calls.name[item.row];
    const auto of = classes[name];
    return of != CallClass::query && of != CallClass::own_state && !only_asks(trace.text(name));
}

}  // namespace

const std::optional<Repetition>& Graph::repetition() const
{
    std::call_once(m_repetition->once, [this] { m_repetition->value = find_repetition(*m_trace); });
    return m_repetition->value;
}

Graph::Graph(const Trace& trace, const Blocking& blocking)
    : m_trace(&trace)
    , m_blocking(&blocking)
    , m_dependencies(trace, blocking)
    , m_starts(trace, m_dependencies)
    , m_items(trace)
    , m_ranges(trace)
    , m_sampled(trace)
    , m_owners(trace)
    , m_works(trace.threads.size())
    , m_clocks_apart(meta::number_of(trace.meta, meta::clock_uncertainty_ns))
{
    const auto classes = call_classes(trace);
    m_last_end = end_of_work(trace);
    for (Row row = 0; row < trace.ranges.size(); ++row) {
        if (is_operator(trace, row)) {
            m_works[trace.ranges[row].thread] = true;
        }
    }
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const Row after = m_starts.after(row);
        if (after != no_row && after + 1 != row) {
            m_by_after.push_back(row);
        }
    }
    std::stable_sort(
        m_by_after.begin(), m_by_after.end(), [&](Row a, Row b) { return m_starts.after(a) < m_starts.after(b); });
    for (Row thread = 0; thread < m_items.threads(); ++thread) {
        for (std::size_t place = 0; place < m_items.size(thread) && !m_works[thread]; ++place) {
            m_works[thread] = is_work(trace, classes, m_items.at(thread, place));
        }
    }
}

std::vector<Row> Graph::let_begin(Row operation) const
{
    std::vector<Row> found;
    if (operation + 1 < m_trace->operations.size() && m_starts.after(operation + 1) == operation) {
        found.push_back(operation + 1);
    }
    auto at = std::partition_point(
        m_by_after.begin(), m_by_after.end(), [&](Row row) { return m_starts.after(row) < operation; });
    for (; at != m_by_after.end() && m_starts.after(*at) == operation; ++at) {
        found.push_back(*at);
    }
    return found;
}

Row Graph::partner_of(Row operation) const
{
    const Row partner = m_dependencies.partner_of(operation);
    if (partner == no_row || m_clocks_apart == 0) {
        return partner;
    }
    const auto& ops = m_trace->operations;
    const auto process = [&](Row row) { return m_trace->streams[ops.stream[row]].process; };
    const bool is_known
        = process(operation) == process(partner) || ops.start[partner] - ops.start[operation] > m_clocks_apart;
    return is_known ? partner : no_row;
}

Row Graph::handover_of(Row host_span) const
{
    const auto& handovers = m_dependencies.handovers;
    const auto at = std::partition_point(
        handovers.begin(), handovers.end(), [&](const auto& handover) { return handover.span < host_span; });
    return at != handovers.end() && at->span == host_span ? at->from : no_row;
}

Row Graph::released_by(Row stretch) const
{
    const auto& held = m_blocking->calls[stretch];
    if (held.released_by != no_row || held.cause != BlockCause::memory) {
        return held.released_by;
    }
    const auto& ops = m_trace->operations;
    const auto& order = m_dependencies.operations;
    auto at = std::partition_point(order.begin(), order.end(), [&](Row row) { return ops.start[row] < held.end; });
    for (std::size_t i = 0; i < looked_at && at != order.begin(); ++i) {
        if (--at; ops.end[*at] == held.end) {
            return *at;
        }
    }
    return no_row;
}

EventRef Graph::item(Row thread, std::size_t place) const
{
    return m_items.at(thread, place);
}

const Turn* Graph::turn_at(Row thread, Ns time) const
{
    const auto& turns = m_dependencies.turns;
    const auto at = std::partition_point(turns.begin(), turns.end(),
        [&](const Turn& turn) { return turn.thread != thread ? turn.thread < thread : turn.at < time; });
    return at != turns.end() && at->thread == thread ? &*at : nullptr;
}

const Turn* Graph::turn_before(Row thread, Ns time) const
{
    return last_turn(m_dependencies.turns, thread, time - 1);
}

std::size_t Graph::items_before(Row thread, Ns time) const
{
    return items_before(thread, time, 0, m_items.size(thread));
}

/// The same if the result is at least `from` and at most `to`.
std::size_t Graph::items_before(Row thread, Ns time, std::size_t from, std::size_t to) const
{
    while (from < to) {
        const auto middle = from + (to - from) / 2;
        if (begins_before(thread, middle, time)) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

bool Graph::begins_before(Row thread, std::size_t place, Ns time) const
{
    return span_of(*m_trace, m_items.at(thread, place)).start < time;
}

std::size_t Graph::items_before(Row thread, Ns time, std::size_t known) const
{
    std::size_t step = 1;
    auto from = known;
    for (; from > 0 && !begins_before(thread, from - 1, time); step *= 2) {
        known = from - 1;
        from -= std::min(from, step);
    }
    return items_before(thread, time, from, known);
}

EventRef Graph::before(Row thread, Ns time) const
{
    const auto place = thread < m_items.threads() ? items_before(thread, time) : 0;
    return place == 0 ? EventRef {} : item(thread, place - 1);
}

EventRef Graph::behind(Row thread, Ns time) const
{
    const auto place = thread < m_items.threads() ? items_before(thread, time) : 0;
    return thread >= m_items.threads() || place == m_items.size(thread) ? EventRef {} : item(thread, place);
}

}  // namespace lanes
