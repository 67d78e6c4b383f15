// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/path.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/batches.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/trace/event.h"

#include <algorithm>
#include <array>

namespace lanes {

namespace {

constexpr std::size_t looked_through = 256;  // operations or items, to find the one that is sought

class Walk {
public:
    Walk(const Graph& graph, Ns until, std::size_t most)
        : m_graph(graph)
        , m_trace(graph.trace())
        , m_ops(m_trace.operations)
        , m_blocking(graph.blocking())
        , m_classes(call_classes(m_trace))
        , m_until(until)
        , m_most(most)
    {
        for (Row thread = 0; thread < m_trace.threads.size(); ++thread) {
            m_before.push_back(graph.items(thread));
        }
    }
    std::vector<PathPart> run(PathStart start)
    {
        m_time = start.time;
        m_parts.reserve(std::min(m_most, likely_parts(start.time)));
        if (start.event.table == EventTable::operations) {
            m_operation = start.event.row;
        } else if (start.event) {
            m_thread = lane_of(m_trace, start.event);
        }
        while (m_time > m_until && m_parts.size() < m_most && (m_operation != no_row || m_thread != no_row)) {
            m_operation != no_row ? operation() : thread();
        }
        return std::move(m_parts);
    }

private:
    std::size_t likely_parts(Ns end) const;
    void operation();
    void begin(Row operation);
    void thread();
    EventRef item_before();
    void between(Ns from, EventRef item);
    void call(Row row);
    void held(Row row);
    void host_span(Row row);

    /// Adds the time from `from` on.
    void add(PathPart::Kind kind, Ns from, EventRef event, StartCause cause = StartCause::unknown)
    {
        from = std::max(std::min(from, m_time), m_until);
        if (from < m_time) {
            m_parts.push_back({{from, m_time}, kind, cause, event, m_operation == no_row ? m_thread : no_row});
            m_time = from;
        }
    }
    void go_to_operation(Row row, Ns time)
    {
        m_time = std::min(m_time, time);
        m_operation = row;
        m_thread = no_row;
    }
    void go_to_thread(Row row, Ns time)
    {
        m_time = std::min(m_time, time);
        m_thread = row;
        m_operation = no_row;
    }

    const Graph& m_graph;
    const Trace& m_trace;
    const OperationTable& m_ops;
    const Blocking& m_blocking;
    std::vector<CallClass> m_classes;
    Ns m_until;
    std::size_t m_most;
    Ns m_time = 0;
    Row m_operation = no_row, m_thread = no_row;  ///< one of them
    std::vector<std::size_t> m_before;  ///< by thread, how many items begin before the path was on it last, at most
    std::vector<PathPart> m_parts;
};

/// Two for each operation of the stretch, as if all were on the path: a growing list of millions is copied again and
/// again, while memory that is only reserved costs nothing.
std::size_t Walk::likely_parts(Ns end) const
{
    const auto& order = m_graph.dependencies().operations;
    const auto begun = [&](Ns time) {
        return std::partition_point(order.begin(), order.end(), [&](Row row) { return m_ops.start[row] < time; });
    };
    return 2 * static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, begun(end) - begun(m_until)))
        + 2 * m_blocking.calls.size();
}

void Walk::operation()
{
    const Row row = m_operation;
    const Row partner = m_graph.partner_of(row);
    if (partner != no_row && m_ops.start[partner] > m_ops.start[row] && m_ops.start[partner] < m_time) {
        add(PathPart::operation, m_ops.start[partner], EventRef {EventTable::operations, row});
        m_operation = partner;  // until then it waited for this one
        begin(partner);
        return;
    }
    add(PathPart::operation, m_ops.start[row], EventRef {EventTable::operations, row});
    begin(row);
}

/// From the start of an operation to what let it begin.
void Walk::begin(Row row)
{
    const EventRef event {EventTable::operations, row};
    const auto cause = m_graph.starts().cause(row);
    if (const Row after = m_graph.starts().after(row); after != no_row) {
        add(PathPart::step, m_ops.end[after], event, cause);
        go_to_operation(after, m_ops.end[after]);
        return;
    }
    const Row call = outermost(m_trace.calls, m_ops.call[row]);
    if (call == no_row || m_trace.calls.thread[call] == no_row) {
        add(PathPart::unknown, m_until, event);
        m_operation = no_row;
        return;
    }
    const Ns issued = m_trace.calls.start[call];
    add(cause == StartCause::launch ? PathPart::launch : PathPart::unknown, issued, event, cause);
    go_to_thread(m_trace.calls.thread[call], issued);
}

/// As Graph::before: the path only goes back in time, so each search begins where the thread's last one ended.
EventRef Walk::item_before()
{
    auto& before = m_before[m_thread];
    before = m_graph.items_before(m_thread, m_time, before);
    return before == 0 ? EventRef {} : m_graph.item(m_thread, before - 1);
}

void Walk::thread()
{
    const EventRef item = item_before();
    if (const Turn* turn = m_graph.turn_at(m_thread, m_time); turn != nullptr && turn->ended <= m_time) {
        const Row from = turn->from;
        const Ns ended = turn->ended;
        add(PathPart::inferred, ended, item);
        go_to_thread(from, ended);
        return;
    }
    const Turn* const given_last = m_graph.turn_before(m_thread, m_time);
    const Ns given = given_last == nullptr ? INT64_MIN : given_last->at;
    const Ns done = item ? span_of(m_trace, item).end : m_until;
    between(std::max(done, given), item);
    if (given > done || m_time <= m_until) {
        return;
    }
    if (!item) {
        m_thread = no_row;
    } else if (item.table == EventTable::calls) {
        call(item.row);
    } else if (item.table == EventTable::host_spans) {
        host_span(item.row);
    } else {
        add(PathPart::work, span_of(m_trace, item).start, item);
    }
}

/// Back to `from` through time without items of the thread: in its named ranges, or in nothing that is recorded.
void Walk::between(Ns from, EventRef item)
{
    from = std::max(from, m_until);
    while (m_time > from) {
        const auto part = m_graph.ranges().last(m_thread, {from, m_time});
        part.range == no_row ? add(PathPart::between, part.start, item)
                             : add(PathPart::work, part.start, {EventTable::ranges, part.range});
    }
}

void Walk::call(Row row)
{
    const EventRef event {EventTable::calls, row};
    const auto stretches = m_blocking.of(row);
    for (auto at = stretches.rbegin(); at != stretches.rend(); ++at) {
        const auto& stretch = m_blocking.calls[*at];
        if (stretch.start < m_time) {
            add(PathPart::call, stretch.end, event);
            held(*at);
            return;
        }
    }
    const Ns start = m_trace.calls.start[row];
    const auto call_class = m_classes[m_trace.calls.name[row]];
    const bool may_wait = call_class == CallClass::stream_sync || call_class == CallClass::device_sync
        || call_class == CallClass::event_sync || call_class == CallClass::copy || call_class == CallClass::copy_async;
    const bool untold = may_wait && (!m_blocking.knows(m_thread) || m_trace.calls.result[row] != 0)
        && m_trace.calls.end[row] - start > ordinary_call;
    add(untold ? PathPart::unknown : PathPart::call, start, event);
}

void Walk::held(Row row)
{
    const auto& stretch = m_blocking.calls[row];
    const EventRef event {EventTable::calls, stretch.call};
    Row by = m_graph.released_by(row);
    while (by != no_row && m_ops.start[by] >= m_time) {
        by = m_graph.starts().after(by);  // the clock of the GPU is late: it seems to begin after the wait
    }
    if (by != no_row && m_ops.start[by] < m_time && m_ops.end[by] > stretch.start) {
        add(PathPart::call, m_ops.end[by], event);
        go_to_operation(by, m_ops.end[by]);
        return;
    }
    add(stretch.cause == BlockCause::memory || stretch.cause == BlockCause::queue_full ? PathPart::call
                                                                                       : PathPart::unknown,
        stretch.start, event);
}

void Walk::host_span(Row row)
{
    const EventRef event {EventTable::host_spans, row};
    const auto& span = m_trace.host_spans[row];
    if (span.type == HostSpanRecord::work) {
        add(PathPart::work, span.start, event);
        return;
    }
    EventRef from;
    if (const Row handed = m_graph.handover_of(row); handed != no_row) {
        from = {EventTable::host_spans, handed};
    } else if (span.type == HostSpanRecord::join) {
        for (Row other = 0; other < m_trace.threads.size(); ++other) {
            const EventRef last
                = other == m_thread || m_trace.threads[other].process != m_trace.threads[m_thread].process
                ? EventRef {}
                : m_graph.before(other, span.end);
            if (last && span_of(m_trace, last).end <= span.end
                && (!from || span_of(m_trace, last).end > span_of(m_trace, from).end)) {
                from = last;
            }
        }
    }
    const Ns released = from ? span_of(m_trace, from).end : 0;
    if (from && span.end - span.start > waits_in_queue && released > span.start && released <= m_time) {
        add(PathPart::handover, released, event);
        go_to_thread(lane_of(m_trace, from), released);
        return;
    }
    const bool waits = span.end - span.start > waits_in_queue;
    add(waits ? PathPart::unknown : PathPart::handover, span.start, event);
}

/// The wait in which a thread was held: the last stretch of a call, or a wait for another thread.
LinkEnd wait_of(const Graph& graph, EventRef item)
{
    if (item.table == EventTable::calls) {
        const auto stretches = graph.blocking().of(item.row);
        return stretches.empty() ? LinkEnd {} : LinkEnd(item, stretches.back());
    }
    return item.table == EventTable::host_spans && graph.handover_of(item.row) != no_row
            && span_of(graph.trace(), item).end - span_of(graph.trace(), item).start > waits_in_queue
        ? LinkEnd(item)
        : LinkEnd {};
}

/// What the thread did before `item`; if it went on only when another thread was done (turns.h), what that one did.
EventRef done_before(const Graph& graph, EventRef item)
{
    const auto& trace = graph.trace();
    Row thread = lane_of(trace, item);
    Ns time = span_of(trace, item).start;
    EventRef before = graph.before(thread, time);
    for (std::size_t i = 0; i < looked_through; ++i) {
        const Turn* const turn = last_turn(graph.dependencies().turns, thread, time);
        if (turn == nullptr || (before && span_of(trace, before).end > turn->at)) {
            break;
        }
        thread = turn->from;
        time = turn->ended;
        before = graph.before(thread, time);
    }
    return before;
}

/// The worker's fetch whose end let the wait for the next batch end: the last that ended in the wait. For other ranges
/// nothing is known about what they waited for.
LinkEnd cause_of_range(const Graph& graph, Row row)
{
    const auto& trace = graph.trace();
    const auto& range = trace.ranges[row];
    Row found = no_row;
    for (Row thread = 0; waits_for_batch(trace.text(range.name)) && thread < trace.threads.size(); ++thread) {
        const Row fetch
            = thread == range.thread ? no_row : graph.ranges().ended_in(thread, batch_fetch, {range.start, range.end});
        if (fetch != no_row && (found == no_row || trace.ranges[fetch].end > trace.ranges[found].end)) {
            found = fetch;
        }
    }
    return found == no_row ? LinkEnd {} : LinkEnd(EventRef {EventTable::ranges, found});
}

LinkEnd operation_or_none(Row row)
{
    return row == no_row ? LinkEnd {} : LinkEnd(EventRef {EventTable::operations, row});
}

}  // namespace

LinkEnd step_back(const Graph& graph, LinkEnd at)
{
    const auto& trace = graph.trace();
    const Row row = at.event.row;
    if (at.event.table == EventTable::operations) {
        if (const Row partner = graph.partner_of(row); partner != no_row) {
            return operation_or_none(partner);
        }
        if (const Row after = graph.starts().after(row); after != no_row) {
            return operation_or_none(after);
        }
        const Row call = outermost(trace.calls, trace.operations.call[row]);
        return call == no_row ? LinkEnd {} : LinkEnd(EventRef {EventTable::calls, call});
    }
    if (at.event.table == EventTable::calls) {
        const auto stretches = graph.blocking().of(row);
        const Row stretch = at.stretch != no_row || stretches.empty() ? at.stretch : stretches.back();
        if (stretch != no_row) {
            return operation_or_none(graph.released_by(stretch));
        }
    } else if (at.event.table == EventTable::host_spans) {
        if (const Row from = graph.handover_of(row); from != no_row) {
            return EventRef {EventTable::host_spans, from};
        }
    }
    if (at.event.table == EventTable::ranges) {
        return cause_of_range(graph, row);
    }
    if (!at.event) {
        return {};
    }
    const EventRef before = done_before(graph, at.event);
    EventRef item = before;
    for (std::size_t i = 0; item && i < looked_through; ++i) {
        if (const auto wait = wait_of(graph, item)) {
            return wait;
        }
        item = done_before(graph, item);
    }
    return before;
}

std::string_view name_of(PathPart::Kind kind)
{
    constexpr std::array<std::string_view, path_kinds> names {
        "operation", "launch", "step", "call", "work", "handover", "inferred", "between", "unknown"};
    return names[static_cast<std::size_t>(kind)];
}

std::vector<PathPart> path_back(const Graph& graph, PathStart start, Ns until, std::size_t most)
{
    return Walk(graph, until, most).run(start);
}

PathStart last_of(const Graph& graph, Interval range)
{
    const auto& trace = graph.trace();
    PathStart last {{}, range.start};
    const auto take = [&](EventTable table, Row row, Ns start, Ns end) {
        const Ns cut = std::min(end, range.end);
        if (start < range.end && cut > last.time) {
            last = {{table, row}, cut};
        }
    };
    const auto& start = trace.operations.start;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto rows = trace.operations_of(stream);
        const auto stop = static_cast<Row>(
            std::lower_bound(start.begin() + rows.begin, start.begin() + rows.end, range.end) - start.begin());
        for (Row row = stop - std::min<Row>(stop - rows.begin, looked_through); row < stop; ++row) {
            take(EventTable::operations, row, start[row], trace.operations.end[row]);
        }
    }
    const auto take_calls = [&](bool of_those_that_work) {
        for (Row thread = 0; thread < trace.threads.size(); ++thread) {
            auto place = graph.works(thread) == of_those_that_work ? graph.items_before(thread, range.end) : 0;
            while (place > 0 && graph.item(thread, place - 1).table != EventTable::calls) {
                --place;
            }
            if (place > 0) {
                const Row row = graph.item(thread, place - 1).row;
                take(EventTable::calls, row, trace.calls.start[row], trace.calls.end[row]);
            }
        }
    };
    take_calls(true);
    if (!last.event) {
        take_calls(false);
    }
    return last;
}

PathStart asked_at(const Graph& graph, Row first_thread, Ns time)
{
    const auto& trace = graph.trace();
    const auto& ops = trace.operations;
    PathStart held;
    for (const auto& stretch : graph.blocking().calls) {
        if (stretch.start > time) {
            break;
        }
        const bool is_first = trace.calls.thread[stretch.call] == first_thread;
        if (stretch.end > time && (!held.event || is_first)) {
            held = {{EventTable::calls, stretch.call}, stretch.end};
            if (is_first) {
                break;
            }
        }
    }
    if (held.event) {
        return held;
    }
    const auto& order = graph.dependencies().operations;
    const auto next = std::partition_point(order.begin(), order.end(), [&](Row row) { return ops.start[row] <= time; });
    auto at = next;
    for (std::size_t i = 0; i < looked_through && at != order.begin(); ++i) {
        if (--at; ops.end[*at] > time) {
            return {{EventTable::operations, *at}, ops.end[*at]};
        }
    }
    return next == order.end() ? PathStart {} : PathStart {{EventTable::operations, *next}, ops.end[*next]};
}

}  // namespace lanes
