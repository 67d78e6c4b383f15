// SPDX-License-Identifier: MIT
#include "engine/analysis/findings/replay.h"

#include "engine/analysis/blocking/call_class.h"
#include "engine/analysis/blocking/look_ahead.h"
#include "engine/analysis/findings/pinned_rates.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <queue>

namespace lanes {

namespace {

constexpr Ns never = std::numeric_limits<Ns>::min();
constexpr Ns clock_slack = 20'000;  // as far as the clocks of CPU and GPU differ in real files
constexpr Ns short_call = 2'000;  // what is left of a call that no longer waits
constexpr Ns usual_step = 1'000;  // from the end of an operation to the start of the next on its stream
constexpr int most_turns = 64;  // of threads that do nothing recorded in them

/// Measured, and replayed.
struct Moment {
    Ns was = never, is = never;
    bool known() const { return was != never; }
    void extend(const Moment& other)
    {
        was = std::max(was, other.was);
        is = std::max(is, other.is);
    }
};

struct StreamState {
    Moment last, kernel, h2d, result;  ///< of all; kernels and what is on the device; uploads; copies that leave it
    std::size_t behind = 0;
};
struct DeviceState {
    Moment h2d, d2h, peer, filling;
};

/// What a thread is in the middle of.
struct Pending {
    enum Kind : std::uint8_t { none, call, queue, join };
    Kind kind = none;
    Row row = no_row;
    Ns end = 0, new_start = 0;
    std::size_t first_hold = 0;
};
struct ThreadState {
    Moment last;  ///< end of what it did last
    std::uint32_t order = 0;  ///< what its later operations follow, into Pass::m_orders
    Pending pending;
};

/// When all that had been done by a moment of the recording is done.
struct Progress {
    Ns until;
    Moment done {};
    void take(Ns start, Ns end, Ns new_end)
    {
        if (start < until) {
            done.extend({std::min(end, until), new_end - std::max<Ns>(0, end - until)});
        }
    }
    void leave_out(Ns start, Ns end) { done.was = start < until ? std::max(done.was, std::min(end, until)) : done.was; }
    Ns won() const { return done.known() && done.is != never ? done.was - done.is : 0; }
};

class Pass {
public:
    Pass(const Trace& trace, const Replay& replay, const Cures& cures, Interval part)
        : m_trace(trace)
        , m_replay(replay)
        , m_order(replay.order())
        , m_cures(cures)
        , m_call_start(trace.calls.size(), never)
        , m_end(trace.operations.size(), never)
        , m_span_end(trace.host_spans.size(), never)
        , m_streams(trace.streams.size())
        , m_devices(m_order.devices)
        , m_contexts(m_order.contexts)
        , m_threads(trace.threads.size())
        , m_at_start {part.start}
        , m_at_end {part.end}
    {
        for (auto& state : m_streams) {
            state.behind = m_order.behind.size();
        }
        for (std::size_t i = m_order.behind.size(); i-- > 0;) {
            m_streams[trace.operations.stream[m_order.behind[i].operation]].behind = i;
        }
        if (std::find(cures.calls.begin(), cures.calls.end(), Cures::in_order) != cures.calls.end()) {
            m_call_order.resize(trace.calls.size());
            m_orders.emplace_back();
        }
        for (const auto& set : cures.saved) {
            m_saved.emplace_back(set);
        }
        m_cuts_host = replay.last_end() > part.end;
    }
    Replay::Result run();

private:
    using Ending = std::pair<Ns, Row>;  // when, and which thread

    void call(Row row);
    void host_span(Row row);
    void operation(Row row);
    void settle(Row row, Ns new_end);
    Moment* engine_of(Row row, DeviceState& device) const;
    void busy(Ns new_start, Ns new_end);
    void finish(Row thread);
    void finish_call(Row index);
    void do_at_once(ThreadState& thread, Ns start, Ns end, Ns length);
    void note(Row thread, Ns start, Ns end, Ns new_end);
    void note_host(Row thread, Ns start, Ns end);
    void wait_until(Row thread, Pending pending);
    Ns begin(Row thread, Ns start);
    Ns moment_of(Row thread, Ns time, int turns) const;
    Ns own_time(Row thread, Ns start, Ns end) const;
    Ns start_of(Row call);
    Ns left_of(Row call) const;
    Cures::Call cure_of(Row call) const { return m_cures.calls[call]; }

    const Trace& m_trace;
    const Replay& m_replay;
    const Dependencies& m_order;
    const Cures& m_cures;
    std::vector<Ns> m_call_start;  ///< replayed, by outermost call; never: did not begin yet
    std::vector<std::uint32_t> m_call_order;  ///< by call, where any is in_order: what its operations follow
    std::vector<Moment> m_orders;  ///< into which it points: a thread's order changes with few of its calls
    std::vector<Ns> m_end;  ///< replayed, by operation; never: did not begin yet
    std::vector<Ns> m_span_end;  ///< replayed, by host span that puts or gets; never: is not done yet
    std::vector<StreamState> m_streams;
    std::vector<DeviceState> m_devices;
    std::vector<std::array<Moment, 2>> m_contexts;  ///< blocking streams, legacy
    std::vector<ThreadState> m_threads;
    std::vector<Coverage> m_saved;  ///< by thread; empty: none saves anything
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> m_endings;
    std::size_t m_next_hold = 0;
    Ns m_busy_until = never, m_recorded_until = never;
    Progress m_at_start, m_at_end;  ///< of the part
    bool m_cuts_host = false;  ///< the part ends before the last call or operation
    Replay::Result m_result;
};

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
    m_result.end = std::max(m_result.end, new_end);
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
    if (waits && (cure == Cures::none || cure == Cures::in_order)) {
        wait_until(thread, {Pending::call, row, end, new_start, m_next_hold});
        return;
    }
    const bool is_made = cure != Cures::dropped && cure != Cures::batched;
    const Ns length = cure == Cures::none ? own_time(thread, start, end)
        : cure == Cures::in_order         ? left_of(row)
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
            if (m_trace.operations.kind[operation] != OperationKind::d2h && issued >= last_issued) {
                last_issued = issued;
                ordering = end_of;
            }
        }
    }
    Ns new_end = new_start + (end - start);
    if (cure_of(row) == Cures::in_order) {
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

void Pass::operation(Row row)
{
    const auto& ops = m_trace.operations;
    const Row stream = ops.stream[row];
    const Ns start = ops.start[row];
    const auto kind = ops.kind[row];
    m_result.recorded_busy += std::max<Ns>(0, ops.end[row] - std::max(start, m_recorded_until));
    m_recorded_until = std::max(m_recorded_until, ops.end[row]);
    look_ahead(row, ops.start, ops.end, ops.stream, ops.call, ops.kind, m_end);
    const Row call = outermost(m_trace.calls, ops.call[row]);
    const auto cure = call == no_row ? Cures::none : cure_of(call);
    const bool made_pinned = cure == Cures::pinned && is_copy(kind);
    auto& state = m_streams[stream];
    auto& device = m_devices[m_order.device_of[stream]];

    Ns latest = never;  // what it really waited for: of what was done by then, what would have let it begin last
    Ns new_start = never;
    Ns latest_is = never;
    Ns latest_step = 0;
    bool latest_counts = false;
    const auto after = [&](const Moment& moment, Ns usual, bool counts = true, Ns beside = usual_step) {
        if (!moment.known() || moment.was > start + beside) {
            return;
        }
        if (counts) {
            new_start = std::max(new_start, moment.is + std::min(start - moment.was, usual));
        }
        if (latest == never || moment.was + usual > latest) {
            latest = moment.was + usual;
            latest_is = moment.is;
            latest_step = made_pinned ? std::min(start - moment.was, usual) : start - moment.was;
            latest_counts = counts;
        }
    };
    const auto only_now = [&](const Moment& moment) {  // in the replay, not in the recording
        if (moment.known()) {
            new_start = std::max(new_start, moment.is + std::min(std::max<Ns>(0, start - moment.was), usual_step));
        }
    };
    if (call != no_row) {
        if (const Ns was = m_trace.calls.start[call]; was <= start + usual_step) {
            const Row thread = m_trace.calls.thread[call];
            const Ns handed = std::min(start, m_trace.calls.end[call]);
            const Ns saved = thread == no_row || handed <= was ? 0
                : cure == Cures::at_once ? std::max<Ns>(0, handed - was - m_order.issue)  // it loads no code
                                         : handed - was - own_time(thread, was, handed);
            after({was, start_of(call) - saved}, m_order.issue);
        }
    }
    const bool own = m_cures.own_copies[stream];
    after(state.last, usual_step, !own);
    const bool uploads = kind == OperationKind::h2d;
    const bool leaves = kind == OperationKind::d2h || kind == OperationKind::p2p;
    if (own) {
        if (uploads) {
            only_now(state.h2d);
        } else {
            only_now(state.kernel);
            only_now(leaves ? state.result : state.h2d);
        }
    }
    for (; state.behind < m_order.behind.size() && m_order.behind[state.behind].operation <= row; ++state.behind) {
        const auto& [operation, before] = m_order.behind[state.behind];
        if (operation == row && m_end[before] != never) {
            after({ops.end[before], m_end[before]}, 2 * usual_step);
        }
    }
    const auto context = m_order.context_of[stream];
    if (context != Dependencies::no_context) {
        after(m_contexts[context][m_order.legacy[stream] ? 0 : 1], 2 * usual_step, !m_cures.no_legacy_order);
    }
    if (Moment* const engine = engine_of(row, device); engine != nullptr) {
        after(
            *engine, usual_step, true, (ops.end[row] - start) / 2);  // the tail of one runs beside the head of the next
    }
    if (call != no_row && !m_call_order.empty()) {
        only_now(m_orders[m_call_order[call]]);
    }
    if (latest_counts) {
        new_start = std::max(new_start, latest_is + latest_step);
    }
    if (new_start == never) {
        new_start = start;
    }

    if (cure == Cures::dropped) {
        m_end[row] = new_start;
        m_at_start.leave_out(start, ops.end[row]);
        m_at_end.leave_out(start, ops.end[row]);
        return;
    }
    if (cure == Cures::batched) {
        new_start = state.last.known() ? std::max(state.last.is, start_of(call)) : start_of(call);
    }
    const bool at_pinned_rate = made_pinned || (cure == Cures::batched && is_copy(kind));
    const Ns length = at_pinned_rate ? m_replay.pinned_time(row) : ops.end[row] - start;
    const auto& partners = m_order.partners;
    const auto partner = std::partition_point(
        partners.begin(), partners.end(), [&](const auto& entry) { return entry.operation < row; });
    if (partner != partners.end() && partner->operation == row) {  // it ends once the last of them has begun
        m_end[row] = new_start + length;
        busy(new_start, new_start + (ops.start[partner->partner] - start));
        return;
    }
    Ns together = new_start;
    const auto& collectives = m_replay.collectives();
    const auto first = std::lower_bound(collectives.begin(), collectives.end(), std::pair(row, Row {0}));
    const auto each_other = [&](auto take) {
        for (auto other = first; other != collectives.end() && other->first == row; ++other) {
            take(other->second, ops.end[other->second] - ops.start[other->second]);
        }
    };
    each_other([&](Row other, Ns other_length) {
        together = m_end[other] == never ? together : std::max(together, m_end[other] - other_length);
    });
    each_other([&](Row other, Ns) { settle(other, together + (ops.end[other] - start)); });
    busy(new_start, together + length);
    settle(row, together + length);
}

/// What does one operation after another, of those that are alike.
Moment* Pass::engine_of(Row row, DeviceState& device) const
{
    switch (m_trace.operations.kind[row]) {
    case OperationKind::h2d:
        return &device.h2d;
    case OperationKind::d2h:
        return &device.d2h;
    case OperationKind::p2p:
        return &device.peer;
    default:
        return m_order.fills_gpu[row] ? &device.filling : nullptr;
    }
}

/// What comes behind an operation follows it from now on.
void Pass::settle(Row row, Ns new_end)
{
    const auto& ops = m_trace.operations;
    const Row stream = ops.stream[row];
    const auto kind = ops.kind[row];
    auto& state = m_streams[stream];
    auto& device = m_devices[m_order.device_of[stream]];
    const Moment end {ops.end[row], new_end};
    m_end[row] = new_end;
    state.last.extend(end);
    if (m_cures.own_copies[stream]) {
        (kind == OperationKind::h2d                                        ? state.h2d
                : kind == OperationKind::d2h || kind == OperationKind::p2p ? state.result
                                                                           : state.kernel)
            .extend(end);
    }
    if (Moment* const engine = engine_of(row, device); engine != nullptr) {
        engine->extend(end);
    }
    if (const auto context = m_order.context_of[stream]; context != Dependencies::no_context) {
        m_contexts[context][m_order.legacy[stream] ? 1 : 0].extend(end);
    }
    note(no_row, ops.start[row], ops.end[row], new_end);
}

void Pass::busy(Ns new_start, Ns new_end)
{
    m_result.gpu_busy += std::max<Ns>(0, new_end - std::max(new_start, m_busy_until));
    m_busy_until = std::max(m_busy_until, new_end);
}

}  // namespace

Replay::Replay(const Trace& trace, const Blocking& blocking)
    : m_trace(trace)
    , m_blocking(blocking)
    , m_order(trace, blocking)
{
    for (const auto& [operation, last] : m_order.partners) {
        m_collectives.emplace_back(last, operation);
    }
    std::sort(m_collectives.begin(), m_collectives.end());
    for (const auto* ends : {&trace.operations.end, &trace.calls.end}) {
        for (const Ns end : *ends) {
            m_last_end = std::max(m_last_end, end);
        }
    }
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
    return {std::vector<Cures::Call>(m_trace.calls.size(), Cures::none), std::vector<bool>(m_trace.streams.size()),
        false, {}};
}

Replay::Result Replay::run(const Cures& cures, Interval part) const
{
    return Pass(m_trace, *this, cures, part).run();
}

}  // namespace lanes
