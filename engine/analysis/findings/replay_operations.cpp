// SPDX-License-Identifier: MIT
// A pass of the replay: when each operation would have begun and ended.
#include "engine/analysis/blocking/look_ahead.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/findings/replay_pass.h"

#include <algorithm>
#include <limits>

namespace lanes::replaying {

namespace {

constexpr Ns any_overlap = std::numeric_limits<Ns>::max();

}  // namespace

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
    const bool made_pinned = (cure == Cures::pinned || cure == Cures::prepared) && is_copy(kind);
    auto& state = m_streams[stream];
    auto& device = m_devices[m_order.device_of[stream]];

    Ns latest = never;  // what it really waited for: of what was done by then, what would have let it begin last
    Ns new_start = never;
    Ns latest_is = never;
    Ns latest_step = 0;
    bool latest_counts = false;
    const auto after = [&](const Moment& moment, Ns usual, bool counts = true, Ns beside = usual_step) {
        if (!moment.known() || (moment.was > start && moment.was - start > beside)) {
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
    // Nodes of a graph run side by side; another kernel that begins before the one it follows has ended was let in by
    // it.
    const bool side_by_side = call != no_row && row > 0 && ops.stream[row - 1] == stream
        && outermost(m_trace.calls, ops.call[row - 1]) == call;
    after(state.last, usual_step, !own, side_by_side ? usual_step : any_overlap);
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
    if (cure == Cures::prepared) {
        new_start = std::max(new_start, start_of(call) + m_cures.time_of(call));
    }
    if (cure == Cures::batched && state.in_batch) {  // the first of them begins where it did
        new_start = std::max(state.last.is, start_of(call));
    }
    state.in_batch = cure == Cures::batched;
    const bool at_pinned_rate = made_pinned || (cure == Cures::batched && is_copy(kind));
    const Ns length = at_pinned_rate                  ? m_replay.pinned_time(row)
        : cure == Cures::peer && is_copy(kind)        ? m_cures.time_of(call)
        : cure == Cures::passed_over && is_copy(kind) ? 0
                                                      : ops.end[row] - start;
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
    switch (m_order.engine_of(m_trace.operations.kind[row], m_trace.operations.stream[row])) {
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

}  // namespace lanes::replaying
