// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/graph.h"

#include "engine/analysis/blocking/call_class.h"
#include "engine/analysis/figures/operators.h"
#include "engine/trace/event.h"

#include <algorithm>
#include <stdexcept>

namespace lanes {

namespace {

constexpr std::size_t looked_at = 256;  // operations, for the one that ended at a moment
// An item of a thread in 32 bits: its table in the upper two.
constexpr std::uint32_t item_tables = 30;
constexpr std::uint32_t item_rows = (1U << item_tables) - 1;

std::uint32_t packed(EventTable table, Row row)
{
    const auto number = table == EventTable::calls ? 0U : table == EventTable::host_spans ? 1U : 2U;
    return number << item_tables | row;
}

EventRef unpacked(std::uint32_t item)
{
    constexpr EventTable tables[] = {EventTable::calls, EventTable::host_spans, EventTable::reads, EventTable::none};
    return {tables[item >> item_tables], item & item_rows};
}

}  // namespace

Graph::Graph(const Trace& trace, const Blocking& blocking)
    : m_trace(&trace)
    , m_blocking(&blocking)
    , m_dependencies(trace, blocking)
    , m_starts(trace, m_dependencies)
    , m_items(trace.threads.size())
    , m_ranges(trace)
    , m_works(trace.threads.size())
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
        m_unknown += m_starts.cause(row) == StartCause::unknown ? 1 : 0;
    }
    std::stable_sort(
        m_by_after.begin(), m_by_after.end(), [&](Row a, Row b) { return m_starts.after(a) < m_starts.after(b); });
    if (std::max({trace.calls.size(), trace.host_spans.size(), trace.reads.size()}) > item_rows) {
        throw std::length_error("more than a billion calls");
    }
    const auto add = [&](EventTable table, Row row, Row thread) {
        if (thread != no_row) {
            m_items[thread].push_back(packed(table, row));
            m_works[thread] = m_works[thread] || table != EventTable::calls;
        }
    };
    for (Row row = 0; row < trace.calls.size(); ++row) {
        if (trace.calls.outer[row] == no_row && trace.calls.thread[row] != no_row) {
            add(EventTable::calls, row, trace.calls.thread[row]);
            const Row thread = trace.calls.thread[row];
            const auto of = classes[trace.calls.name[row]];
            m_works[thread] = m_works[thread]
                || (of != CallClass::query && of != CallClass::own_state
                    && !only_asks(trace.text(trace.calls.name[row])));
        }
    }
    for (Row row = 0; row < trace.host_spans.size(); ++row) {
        if (trace.host_spans[row].type != HostSpanRecord::staging) {
            add(EventTable::host_spans, row, trace.host_spans[row].thread);
        }
    }
    for (Row row = 0; row < trace.reads.size(); ++row) {
        add(EventTable::reads, row, trace.reads[row].thread);
    }
    if (!trace.host_spans.empty() || !trace.reads.empty()) {
        for (auto& items : m_items) {
            std::stable_sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) {
                return span_of(trace, unpacked(a)).start < span_of(trace, unpacked(b)).start;
            });
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
    const auto& partners = m_dependencies.partners;
    const auto at = std::partition_point(
        partners.begin(), partners.end(), [&](const auto& partner) { return partner.operation < operation; });
    return at != partners.end() && at->operation == operation ? at->partner : no_row;
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
    return unpacked(m_items[thread][place]);
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
    const auto& items = m_items[thread];
    const auto at = std::partition_point(
        items.begin(), items.end(), [&](std::uint32_t item) { return span_of(*m_trace, unpacked(item)).start < time; });
    return static_cast<std::size_t>(at - items.begin());
}

std::size_t Graph::items_before(Row thread, Ns time, std::size_t known) const
{
    const auto& items = m_items[thread];
    const auto begins_before = [&](std::uint32_t item) { return span_of(*m_trace, unpacked(item)).start < time; };
    std::size_t step = 1;
    auto from = known;
    for (; from > 0 && !begins_before(items[from - 1]); step *= 2) {
        known = from - 1;
        from -= std::min(from, step);
    }
    const auto begin = items.begin();
    const auto at = std::partition_point(
        begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(known), begins_before);
    return static_cast<std::size_t>(at - begin);
}

EventRef Graph::before(Row thread, Ns time) const
{
    const auto place = thread < m_items.size() ? items_before(thread, time) : 0;
    return place == 0 ? EventRef {} : item(thread, place - 1);
}

EventRef Graph::behind(Row thread, Ns time) const
{
    const auto place = thread < m_items.size() ? items_before(thread, time) : 0;
    return thread >= m_items.size() || place == m_items[thread].size() ? EventRef {} : item(thread, place);
}

}  // namespace lanes
