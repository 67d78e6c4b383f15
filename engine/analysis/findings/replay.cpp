// SPDX-License-Identifier: MIT
#include "engine/analysis/findings/replay.h"

#include "engine/analysis/blocking/look_ahead.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/findings/pinned_rates.h"
#include "engine/analysis/findings/replay_pass.h"

#include <algorithm>

namespace lanes {

namespace replaying {

/// All in the order of time; what ends a wait comes behind what begins at that moment.
Replay::Result Pass::run()
{
    const auto& calls = m_trace.calls;
    const auto& spans = m_trace.host_spans;
    const auto& reads = m_trace.reads;
    constexpr Ns no_more = std::numeric_limits<Ns>::max();
    std::size_t next_operation = 0;
    std::size_t next_span = 0;
    std::size_t next_read = 0;
    Row next_call = 0;
    while (true) {
        while (next_call < calls.size() && calls.outer[next_call] != no_row) {
            ++next_call;
        }
        const Ns call_time = next_call < calls.size() ? calls.start[next_call] : no_more;
        const Ns span_time = next_span < spans.size() ? spans[next_span].start : no_more;
        const Ns read_time = next_read < reads.size() ? reads[next_read].start : no_more;
        const Ns operation_time = next_operation < m_order.operations.size()
            ? m_trace.operations.start[m_order.operations[next_operation]]
            : no_more;
        const Ns ending_time = m_endings.empty() ? no_more : m_endings.top().first;
        const Ns now = std::min({call_time, span_time, read_time, operation_time, ending_time});
        if (now == no_more) {
            break;
        }
        if (call_time == now) {
            call(next_call++);
        } else if (operation_time == now) {
            operation(m_order.operations[next_operation++]);
        } else if (ending_time == now) {
            const auto [time, thread] = m_endings.top();
            m_endings.pop();
            if (m_threads[thread].pending.kind != Pending::none && m_threads[thread].pending.end == time) {
                finish(thread);
            }
        } else if (span_time == now) {
            host_span(static_cast<Row>(next_span++));
        } else {
            const auto& read = reads[next_read++];
            if (read.thread != no_row) {
                do_at_once(m_threads[read.thread], begin(read.thread, read.start), read.end,
                    own_time(read.thread, read.start, read.end));
                note_host(read.thread, read.start, read.end);
            }
        }
    }
    m_result.won = m_at_end.won() - m_at_start.won();
    return m_result;
}

/// A call or an operation; thread: of a call, no_row of others.
void Pass::note(Row thread, Ns start, Ns end, Ns new_end)
{
    if (thread == no_row || m_replay.works(thread)) {
        m_result.end = std::max(m_result.end, new_end);
    }
    if (thread == no_row || m_replay.issues(thread)) {
        m_at_start.take(start, end, new_end);
        m_at_end.take(start, end, new_end);
    }
}

/// What the thread did last: it counts where the part does not end with a call or an operation.
void Pass::note_host(Row thread, Ns start, Ns end)
{
    if (m_cuts_host && m_replay.issues(thread)) {
        const Ns new_end = m_threads[thread].last.is;
        m_at_start.take(start, end, new_end);
        m_at_end.take(start, end, new_end);
    }
}

/// The replayed start of what a thread does at `start`.
Ns Pass::begin(Row thread, Ns start)
{
    if (m_threads[thread].pending.kind != Pending::none) {
        finish(thread);  // the two overlap: the record is not exact
    }
    return moment_of(thread, start, most_turns);
}

/// When a thread that is in nothing recorded comes to what it came to at `time`: from what it did last, or from what
/// another one did that gave it its turn since.
Ns Pass::moment_of(Row thread, Ns time, int turns) const
{
    const auto& last = m_threads[thread].last;
    const Turn* const turn = m_order.turns.empty() ? nullptr : last_turn(m_order.turns, thread, time);
    if (turn != nullptr && turns > 0 && (!last.known() || turn->at >= last.was)) {
        const auto& giver = m_threads[turn->from];
        if (giver.pending.kind == Pending::none && (!giver.last.known() || giver.last.was <= turn->ended)) {
            const Ns given = moment_of(turn->from, turn->ended, turns - 1) + (turn->at - turn->ended);
            return std::max(given, last.known() ? last.is : given) + own_time(thread, turn->at, time);
        }
    }
    return last.known() ? last.is + own_time(thread, last.was, time) : time;
}

/// What is left of a stretch of the thread's own.
Ns Pass::own_time(Row thread, Ns start, Ns end) const
{
    return end - start - (m_saved.empty() || end <= start ? 0 : m_saved[thread].within({start, end}));
}

/// What a call takes that does not wait: an allocation of 10 ms that was held for 1 allocates for 9.
Ns Pass::left_of(Row call) const
{
    const Ns length = m_trace.calls.end[call] - m_trace.calls.start[call];
    return std::max(std::min(length, short_call), length - m_replay.held(call));
}

/// The replayed start of an outermost call; of one that did not begin yet, what it will be as far as that is known: an
/// operation may be recorded to begin a little before its call.
Ns Pass::start_of(Row call)
{
    if (m_call_start[call] != never) {
        return m_call_start[call];
    }
    const Row thread = m_trace.calls.thread[call];
    const Ns start = m_trace.calls.start[call];
    return thread == no_row ? start : begin(thread, start);
}

void Pass::do_at_once(ThreadState& thread, Ns start, Ns end, Ns length)
{
    if (!thread.last.known() || end > thread.last.was) {
        thread.last = {end, start + length};
    }
}

void Pass::wait_until(Row thread, Pending pending)
{
    m_threads[thread].pending = pending;
    m_endings.emplace(pending.end, thread);
}

void Pass::call(Row row)
{
    const Ns start = m_trace.calls.start[row];
    const Ns end = m_trace.calls.end[row];
    while (m_next_hold < m_order.holds.size() && m_order.holds[m_next_hold].call < row) {
        ++m_next_hold;
    }
    const Row thread = m_trace.calls.thread[row];
    if (thread == no_row) {
        m_call_start[row] = start;
        note(no_row, start, end, end);
        return;
    }
    auto& state = m_threads[thread];
    const Ns new_start = begin(thread, start);
    m_call_start[row] = new_start;
    if (!m_call_order.empty()) {
        m_call_order[row] = state.order;
    }
    const auto cure = cure_of(row);
    const bool waits = m_next_hold < m_order.holds.size() && m_order.holds[m_next_hold].call == row;
    if (waits && (cure == Cures::none || is_in_order(cure))) {
        wait_until(thread, {Pending::call, row, end, new_start, m_next_hold});
        return;
    }
    const bool is_made = cure != Cures::dropped && cure != Cures::batched;
    const Ns length = cure == Cures::none ? own_time(thread, start, end)
        : cure == Cures::prepared         ? m_cures.time_of(row)
        : is_in_order(cure)               ? left_of(row)
        : is_made                         ? std::min(end - start, short_call)
                                          : 0;
    do_at_once(state, new_start, end, length);
    note(thread, start, end, new_start + length);
}

void Pass::finish_call(Row index)
{
    auto& thread = m_threads[index];
    const auto& [kind, row, end, new_start, first_hold] = thread.pending;
    const Ns start = m_trace.calls.start[row];
    Moment done;
    Moment ordering;
    Ns last_issued = never;
    for (auto i = first_hold; i < m_order.holds.size() && m_order.holds[i].call == row; ++i) {
        const Row operation = m_order.holds[i].operation;
        if (m_end[operation] != never && m_trace.operations.end[operation] <= end + clock_slack) {
            const Moment end_of {m_trace.operations.end[operation], m_end[operation]};
            done.extend(end_of);
            // What comes behind needs the work that was issued last; the result of a download is the host's alone.
            const Row issuer = outermost(m_trace.calls, m_trace.operations.call[operation]);
            const Ns issued = issuer == no_row ? m_trace.operations.start[operation] : m_trace.calls.start[issuer];
            const bool is_result = m_trace.operations.kind[operation] == OperationKind::d2h
                && (issuer == no_row || cure_of(issuer) != Cures::passed_over);
            if (!is_result && issued >= last_issued) {
                last_issued = issued;
                ordering = end_of;
            }
        }
    }
    Ns new_end = new_start + (end - start);
    if (is_in_order(cure_of(row))) {
        new_end = new_start + left_of(row);
        if (ordering.known()) {
            m_orders.push_back(m_orders[thread.order]);
            m_orders.back().extend(ordering);
            thread.order = static_cast<std::uint32_t>(m_orders.size() - 1);
        }
    } else if (done.was > start) {  // it was held
        new_end = std::max(new_start + std::min(end - start, short_call), done.is + (end - done.was));
    } else if (done.known()) {
        new_end = std::max(new_end, done.is + std::min(end - done.was, short_call));
    }
    thread.last = {end, new_end};
    note(index, start, end, new_end);
}

void Pass::host_span(Row row)
{
    const auto& span = m_trace.host_spans[row];
    if (span.thread == no_row || span.type == HostSpanRecord::staging) {
        return;
    }
    auto& state = m_threads[span.thread];
    const Ns new_start = begin(span.thread, span.start);
    const Ns length = span.end - span.start;
    if (span.type == HostSpanRecord::queue_get || (span.type == HostSpanRecord::queue_put && length > waits_in_queue)) {
        wait_until(span.thread, {Pending::queue, row, span.end, new_start, 0});
    } else if (span.type == HostSpanRecord::queue_put) {
        do_at_once(state, new_start, span.end, length);
        m_span_end[row] = new_start + length;
    } else if (span.type == HostSpanRecord::join) {
        wait_until(span.thread, {Pending::join, row, span.end, new_start, 0});
    } else {
        do_at_once(state, new_start, span.end, own_time(span.thread, span.start, span.end));
        note_host(span.thread, span.start, span.end);
    }
}

/// The end of what a thread waited in.
void Pass::finish(Row index)
{
    auto& thread = m_threads[index];
    const Pending pending = thread.pending;
    if (pending.kind == Pending::call) {
        finish_call(index);
        thread.pending.kind = Pending::none;
        return;
    }
    thread.pending.kind = Pending::none;
    const auto& span = m_trace.host_spans[pending.row];
    const Ns length = span.end - span.start;
    Moment done;  // what it waited for
    if (pending.kind == Pending::join) {
        for (Row other = 0; other < m_threads.size(); ++other) {
            if (other != index && m_trace.threads[other].process == m_trace.threads[index].process
                && m_threads[other].pending.kind == Pending::none && m_threads[other].last.was > done.was) {
                done = m_threads[other].last;
            }
        }
    } else {
        const auto& handovers = m_order.handovers;
        const auto from = std::partition_point(
            handovers.begin(), handovers.end(), [&](const auto& handover) { return handover.span < pending.row; });
        if (from != handovers.end() && from->span == pending.row && m_span_end[from->from] != never) {
            done = {m_trace.host_spans[from->from].end, m_span_end[from->from]};
        }
    }
    Ns new_end = pending.new_start + length;
    if (done.known() && length > waits_in_queue) {
        new_end = std::max(pending.new_start + short_call, done.is + (span.end - done.was));
    } else if (done.known()) {
        new_end = std::max(new_end, done.is + std::min(span.end - done.was, short_call));
    }
    thread.last = {span.end, new_end};
    if (pending.kind == Pending::queue) {
        m_span_end[pending.row] = new_end;
    }
}

}  // namespace replaying

Replay::Replay(const Trace& trace, const Blocking& blocking)
    : m_trace(trace)
    , m_blocking(blocking)
    , m_order(trace, blocking)
{
    for (const auto& [operation, last] : m_order.partners) {
        m_collectives.emplace_back(last, operation);
    }
    std::sort(m_collectives.begin(), m_collectives.end());
    m_last_end = end_of_work(trace);
    m_works = working_threads(trace);
    m_issues.resize(trace.threads.size());
    for (Row row = 0; row < trace.operations.size(); ++row) {
        if (const Row call = outermost(trace.calls, trace.operations.call[row]);
            call != no_row && trace.calls.thread[call] != no_row) {
            m_issues[trace.calls.thread[call]] = true;
        }
    }
    if (std::find(m_issues.begin(), m_issues.end(), true) == m_issues.end()) {
        m_issues.assign(m_issues.size(), true);
    }
}

Ns Replay::pinned_time(Row operation) const
{
    if (m_pinned_rate.empty()) {
        m_pinned_rate = pinned_rates(m_trace);
    }
    const Ns length = m_trace.operations.end[operation] - m_trace.operations.start[operation];
    const double rate = m_pinned_rate[m_trace.operations.stream[operation]];
    return std::min(length, static_cast<Ns>(static_cast<double>(m_trace.bytes_of(operation)) / rate));
}

Cures Replay::no_cures() const
{
    Cures cures;
    cures.calls.resize(m_trace.calls.size(), Cures::none);
    cures.own_copies.resize(m_trace.streams.size());
    return cures;
}

Replay::Result Replay::run(const Cures& cures, Interval part) const
{
    return replaying::Pass(m_trace, *this, cures, part).run();
}

}  // namespace lanes
