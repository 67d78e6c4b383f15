// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/links.h"

#include "engine/analysis/blocking/event_waits.h"
#include "engine/analysis/facts/call_class.h"

#include <algorithm>

namespace lanes {

namespace {

LinkEnd call_end(Row call)
{
    return call == no_row ? LinkEnd {} : EventRef {EventTable::calls, call};
}

LinkEnd operation_end(Row operation)
{
    return operation == no_row ? LinkEnd {} : EventRef {EventTable::operations, operation};
}

LinkEnd range_end(Row range)
{
    return range == no_row ? LinkEnd {} : EventRef {EventTable::ranges, range};
}

/// What autograd calls the range around a node of its graph, before the node's name. The range has no sequence number,
/// the node has.
constexpr std::string_view around_node = "autograd::engine::evaluate_function: ";

Row forward_of(const Trace& trace, Row range)
{
    if (const auto* const known = trace.autograd_of(range); known != nullptr && known->forward != no_row) {
        return known->forward;
    }
    const auto& around = trace.ranges[range];
    const auto name = trace.text(around.name);
    if (!name.starts_with(around_node)) {
        return no_row;
    }
    constexpr Row looked_through = 16;  // including the module's range, and what other threads begin meanwhile
    Row row = range;
    while (row > 0 && row + looked_through > range && trace.ranges[row - 1].start == around.start) {
        --row;  // of two that begin together, the shorter one comes first
    }
    for (; row < trace.ranges.size() && row <= range + looked_through; ++row) {
        const auto& in = trace.ranges[row];
        if (in.start > around.end) {
            break;
        }
        if (in.thread == around.thread && trace.text(in.name) == name.substr(around_node.size())) {
            const auto* const node = trace.autograd_of(row);
            return node == nullptr ? no_row : node->forward;
        }
    }
    return no_row;
}

}  // namespace

Links::Links(const Trace& trace, const Blocking& blocking)
    : m_trace(&trace)
    , m_blocking(&blocking)
    , m_first_operation(trace.calls.size(), no_row)
{
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const Row call = outermost(trace.calls, trace.operations.call[row]);
        if (call != no_row
            && (m_first_operation[call] == no_row
                || trace.operations.start[row] < trace.operations.start[m_first_operation[call]])) {
            m_first_operation[call] = row;
        }
    }
    for (Row i = 0; i < blocking.calls.size(); ++i) {
        if (blocking.calls[i].released_by != no_row) {
            m_released.emplace_back(blocking.calls[i].released_by, i);
        }
    }
    std::sort(m_released.begin(), m_released.end());
    for (const auto& known : trace.autograd) {
        if (known.forward != no_row) {
            m_backward.emplace_back(known.forward, known.range);
        }
    }
    std::sort(m_backward.begin(), m_backward.end());
    link_events(trace);
    m_by_record = ordered_by(&LinkedEvent::record_call);
    m_by_wait = ordered_by(&LinkedEvent::wait_call);
    m_by_before = ordered_by(&LinkedEvent::before);
    m_by_behind = ordered_by(&LinkedEvent::behind);
}

void Links::link_events(const Trace& trace)
{
    for (const auto& [sync, record, call, time] : event_waits(trace)) {
        LinkedEvent link {outermost(trace.calls, record->call), call, no_row, no_row};
        const Row behind_record = first_submitted(trace, record->stream, record->time);
        if (behind_record > trace.operations_of(record->stream).begin) {
            link.before = behind_record - 1;
        }
        if (sync->type == SyncRecord::stream_wait_event && sync->stream != no_row && sync->stream != record->stream) {
            if (const Row behind = first_submitted(trace, sync->stream, time);
                behind < trace.operations_of(sync->stream).end) {
                link.behind = behind;
            }
        }
        m_events.push_back(link);
    }
}

template <class Field> std::vector<std::uint32_t> Links::ordered_by(Field field) const
{
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < m_events.size(); ++i) {
        if (m_events[i].*field != no_row) {
            order.push_back(i);
        }
    }
    std::stable_sort(order.begin(), order.end(),
        [&](std::uint32_t a, std::uint32_t b) { return m_events[a].*field < m_events[b].*field; });
    return order;
}

template <class Field, class Found>
void Links::each_with(const std::vector<std::uint32_t>& order, Field field, Row value, Found found) const
{
    auto at
        = std::partition_point(order.begin(), order.end(), [&](std::uint32_t i) { return m_events[i].*field < value; });
    for (; at != order.end() && m_events[*at].*field == value; ++at) {
        if (!found(m_events[*at])) {
            return;
        }
    }
}

LinkEnd Links::stretch_end(Row stretch) const
{
    return {call_end(m_blocking->calls[stretch].call).event, stretch};
}

std::vector<Link> Links::of(LinkEnd at, std::size_t most) const
{
    using Kind = Link::Kind;
    std::vector<Link> links;
    const auto add = [&](Kind kind, LinkEnd from, LinkEnd to) {
        const Link link {kind, from, to};
        if (from && to && links.size() < most && std::find(links.begin(), links.end(), link) == links.end()) {
            links.push_back(link);
        }
        return links.size() < most;
    };
    if (m_trace == nullptr) {
        return links;
    }
    const Row row = at.event.row;
    if (at.event.table == EventTable::operations) {
        add(Kind::issue, call_end(outermost(m_trace->calls, m_trace->operations.call[row])), at);
        for (auto released = std::lower_bound(m_released.begin(), m_released.end(), std::pair<Row, Row>(row, 0));
             released != m_released.end() && released->first == row; ++released) {
            if (!add(Kind::release, at, stretch_end(released->second))) {
                break;
            }
        }
        each_with(m_by_before, &LinkedEvent::before, row,
            [&](const LinkedEvent& wait) { return add(Kind::event, at, operation_end(wait.behind)); });
        each_with(m_by_behind, &LinkedEvent::behind, row,
            [&](const LinkedEvent& wait) { return add(Kind::event, operation_end(wait.before), at); });
        return links;
    }
    if (at.event.table == EventTable::ranges) {
        add(Kind::backward, range_end(forward_of(*m_trace, row)), at);
        for (auto of = std::lower_bound(m_backward.begin(), m_backward.end(), std::pair<Row, Row>(row, 0));
             of != m_backward.end() && of->first == row && add(Kind::backward, at, range_end(of->second)); ++of) { }
    }
    if (at.event.table != EventTable::calls) {
        return links;
    }
    const auto released = [&](Row stretch) {
        add(Kind::release, operation_end(m_blocking->calls[stretch].released_by), stretch_end(stretch));
    };
    if (at.stretch != no_row) {
        released(at.stretch);
    } else {
        for (const Row stretch : m_blocking->of(row)) {
            released(stretch);
        }
    }
    add(Kind::issue, at, operation_end(m_first_operation[row]));
    each_with(m_by_record, &LinkedEvent::record_call, row,
        [&](const LinkedEvent& wait) { return add(Kind::event, at, call_end(wait.wait_call)); });
    each_with(m_by_wait, &LinkedEvent::wait_call, row,
        [&](const LinkedEvent& wait) { return add(Kind::event, call_end(wait.record_call), at); });
    return links;
}

LinkEnd Links::cause_of(LinkEnd at) const
{
    if (m_trace == nullptr) {
        return {};
    }
    const Row row = at.event.row;
    if (at.event.table == EventTable::operations) {
        return call_end(outermost(m_trace->calls, m_trace->operations.call[row]));
    }
    if (at.event.table == EventTable::ranges) {
        return range_end(forward_of(*m_trace, row));
    }
    if (at.stretch != no_row) {
        return operation_end(m_blocking->calls[at.stretch].released_by);
    }
    LinkEnd cause;
    if (at.event.table == EventTable::calls) {
        each_with(m_by_wait, &LinkedEvent::wait_call, row,
            [&](const LinkedEvent& wait) { return !(cause = call_end(wait.record_call)); });
        if (!cause) {
            each_with(m_by_record, &LinkedEvent::record_call, row,
                [&](const LinkedEvent& wait) { return !(cause = operation_end(wait.before)); });
        }
        for (const Row stretch : m_blocking->of(row)) {
            cause = cause ? cause : operation_end(m_blocking->calls[stretch].released_by);
        }
    }
    return cause;
}

LinkEnd Links::effect_of(LinkEnd at) const
{
    if (m_trace == nullptr) {
        return {};
    }
    LinkEnd effect;
    const Row row = at.event.row;
    if (at.event.table == EventTable::operations) {
        const auto found = std::lower_bound(m_released.begin(), m_released.end(), std::pair<Row, Row>(row, 0));
        if (found != m_released.end() && found->first == row) {
            return stretch_end(found->second);
        }
        each_with(m_by_before, &LinkedEvent::before, row,
            [&](const LinkedEvent& wait) { return !(effect = operation_end(wait.behind)); });
        return effect;
    }
    if (at.event.table == EventTable::ranges) {
        const auto of = std::lower_bound(m_backward.begin(), m_backward.end(), std::pair<Row, Row>(row, 0));
        return of != m_backward.end() && of->first == row ? range_end(of->second) : effect;
    }
    if (at.event.table != EventTable::calls) {
        return {};
    }
    effect = operation_end(m_first_operation[row]);
    if (!effect) {
        each_with(m_by_record, &LinkedEvent::record_call, row,
            [&](const LinkedEvent& wait) { return !(effect = call_end(wait.wait_call)); });
    }
    if (!effect) {
        each_with(m_by_wait, &LinkedEvent::wait_call, row,
            [&](const LinkedEvent& wait) { return !(effect = operation_end(wait.behind)); });
    }
    return effect;
}

}  // namespace lanes
