// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/held_back.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/cuda_start.h"
#include "engine/trace/event.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace lanes {

namespace {

bool moves_pageable(const Trace& trace, Row operation)
{
    if (operation == no_row || !is_copy(trace.operations.kind[operation])) {
        return false;
    }
    const auto& copy = trace.copies[trace.operations.detail[operation]];
    return copy.source == MemoryKind::pageable || copy.target == MemoryKind::pageable;
}

IdleReason reason_of(const Trace& trace, const BlockedCall& stretch)
{
    switch (stretch.cause) {
    case BlockCause::memory:
        return IdleReason::memory;
    case BlockCause::queue_full:
        return IdleReason::queue_full;
    case BlockCause::staging:
        return IdleReason::pageable;
    case BlockCause::copy:
        return moves_pageable(trace, stretch.released_by) ? IdleReason::pageable : IdleReason::sync;
    default:
        return IdleReason::sync;
    }
}

bool may_wait(CallClass of)
{
    return of == CallClass::stream_sync || of == CallClass::device_sync || of == CallClass::event_sync
        || of == CallClass::copy || of == CallClass::copy_async;
}

}  // namespace

HeldBack::HeldBack(const Graph& graph, Interval range)
    : m_turns(&graph.dependencies().turns)
    , m_threads(graph.trace().threads.size())
{
    // First: of stretches that begin together, the one that was added first has the time.
    for (const auto& [call, span] : cuda_starts(graph.trace())) {
        if (span.start < range.end && span.end > range.start) {
            add(graph.trace().calls.thread[call], span, IdleReason::start_up, {EventTable::calls, call});
        }
    }
    const auto classes = call_classes(graph.trace());
    for (Row thread = 0; thread < m_threads.size(); ++thread) {
        add_items(graph, classes, thread, range);
    }
    add_loading(graph, range);
    for (auto& stretches : m_threads) {
        std::stable_sort(stretches.begin(), stretches.end(),
            [](const Stretch& a, const Stretch& b) { return a.span.start < b.span.start; });
        // Each begins at the earliest where the one before ends: then a search by start finds all.
        Ns free = 0;
        for (auto& stretch : stretches) {
            stretch.span.start = std::max(stretch.span.start, free);
            stretch.span.end = std::max(stretch.span.end, stretch.span.start);
            free = stretch.span.end;
        }
    }
}

void HeldBack::add(Row thread, Interval span, IdleReason reason, EventRef because)
{
    if (thread != no_row && span.end > span.start) {
        m_threads[thread].push_back({span, reason, because});
    }
}

void HeldBack::add_items(const Graph& graph, const std::vector<CallClass>& classes, Row thread, Interval range)
{
    const auto& trace = graph.trace();
    const auto& blocking = graph.blocking();
    const auto by_call = blocking.by_call();
    auto place = graph.items_before(thread, range.start);
    place -= place > 0 ? 1 : 0;  // the last one that began before the range may reach into it
    const auto stop = graph.items_before(thread, range.end);
    auto held = by_call.end();
    for (bool first = true; place < stop; ++place) {
        const EventRef event = graph.item(thread, place);
        const Interval span = span_of(trace, event);
        if (event.table == EventTable::host_spans) {
            if (trace.host_spans[event.row].type != HostSpanRecord::work && span.end - span.start > waits_in_queue) {
                add(thread, span, IdleReason::host_wait, event);
            }
            continue;
        }
        if (event.table != EventTable::calls) {
            continue;
        }
        const auto is_before = [&](Row stretch) { return blocking.calls[stretch].call < event.row; };
        if (std::exchange(first, false)) {
            held = std::partition_point(by_call.begin(), by_call.end(), is_before);
        }
        // Those of all other threads are in between: search in steps that double.
        std::ptrdiff_t step = 1;
        for (; by_call.end() - held > step && is_before(held[step]); step *= 2) {
            held += step;
        }
        held = std::partition_point(held, held + std::min(step + 1, by_call.end() - held), is_before);
        Ns told = 0;
        for (; held != by_call.end() && blocking.calls[*held].call == event.row; ++held) {
            const auto& stretch = blocking.calls[*held];
            add(thread, {stretch.start, stretch.end}, reason_of(trace, stretch), event);
            told += length(common({stretch.start, stretch.end}, span));
        }
        if (span.end - span.start - told <= ordinary_call) {
            continue;
        }
        const auto of = classes[trace.calls.name[event.row]];
        if (of == CallClass::memory) {
            add(thread, span, IdleReason::memory, event);
        } else if (told == 0 && may_wait(of) && (!blocking.knows(thread) || trace.calls.result[event.row] != 0)) {
            add(thread, span, IdleReason::unknown, event);
        }
    }
}

void HeldBack::add_loading(const Graph& graph, Interval range)
{
    const auto& trace = graph.trace();
    for (const auto& overhead : trace.overheads) {
        const bool loads = overhead.type == OverheadRecord::driver_compiler
            || overhead.type == OverheadRecord::module_loading
            || overhead.type == OverheadRecord::lazy_function_loading;
        if (loads && overhead.start < range.end && overhead.end > range.start) {
            const Row call = outermost(trace.calls, overhead.call);
            const Row thread = overhead.thread != no_row || call == no_row ? overhead.thread : trace.calls.thread[call];
            add(thread, {overhead.start, overhead.end}, IdleReason::loading,
                call == no_row ? EventRef {} : EventRef {EventTable::calls, call});
        }
    }
    std::vector<bool> loads_itself(trace.strings.size());
    for (StringId name = 0; name < loads_itself.size(); ++name) {
        loads_itself[name] = loads_code_itself(trace.text(name));
    }
    for (Row call = 0; call < trace.calls.size() && trace.calls.start[call] < range.end; ++call) {
        if (loads_itself[trace.calls.name[call]] && trace.calls.end[call] > range.start
            && trace.calls.outer[call] == no_row && trace.calls.thread[call] != no_row
            && trace.calls.end[call] - trace.calls.start[call] > loads_code) {
            add(trace.calls.thread[call], {trace.calls.start[call], trace.calls.end[call]}, IdleReason::loading,
                {EventTable::calls, call});
        }
    }
    // Launches that took long, and of these the first of their kernel in its context.
    const auto& ops = trace.operations;
    std::unordered_map<std::uint64_t, Ns> first;  // by name and context
    const auto key = [&](Row row) {
        const auto& stream = trace.streams[ops.stream[row]];
        return (std::uint64_t {stream.process} * 0x9E3779B97F4A7C15U + stream.context) * 0x9E3779B97F4A7C15U
            + trace.kernels[ops.detail[row]].full_name;
    };
    std::vector<std::pair<Row, Row>> slow;  // operation, call
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto rows = trace.operations_of(stream);
        const auto begin = ops.start.begin();
        auto row = static_cast<Row>(std::lower_bound(begin + rows.begin, begin + rows.end, range.start) - begin);
        for (; row < rows.end && ops.start[row] < range.end + loads_code; ++row) {
            const Row call = ops.kind[row] == OperationKind::kernel ? outermost(trace.calls, ops.call[row]) : no_row;
            if (call != no_row
                && trace.calls.end[call] - trace.calls.start[call] - graph.blocking().time_of(call) > loads_code) {
                slow.emplace_back(row, call);
                first.emplace(key(row), trace.calls.start[call]);
            }
        }
    }
    for (Row row = 0; !slow.empty() && row < ops.size(); ++row) {
        const Row call = ops.kind[row] == OperationKind::kernel ? outermost(trace.calls, ops.call[row]) : no_row;
        if (call == no_row) {
            continue;
        }
        if (const auto found = first.find(key(row)); found != first.end()) {
            found->second = std::min(found->second, trace.calls.start[call]);
        }
    }
    for (const auto& [row, call] : slow) {
        if (first.at(key(row)) == trace.calls.start[call]) {
            const auto held = graph.blocking().of(call);
            const Ns until = held.empty() ? trace.calls.end[call] : graph.blocking().calls[held.front()].start;
            add(trace.calls.thread[call], {trace.calls.start[call], until}, IdleReason::loading,
                {EventTable::calls, call});
        }
    }
}

std::vector<HeldBack::Stretch> HeldBack::within(Row thread, Interval span) const
{
    struct ThreadStretch {
        Row thread;  ///< no_row: no thread, the turn passes from one to the other
        Interval span;
    };
    std::vector<ThreadStretch> parts;  // backwards
    while (span.end > span.start) {
        const Turn* const turn = last_turn(*m_turns, thread, span.end);
        if (turn == nullptr || turn->at <= span.start) {
            parts.push_back({thread, span});
            break;
        }
        parts.push_back({thread, {turn->at, span.end}});
        parts.push_back({no_row, {std::max(turn->ended, span.start), turn->at}});
        span.end = turn->ended;
        thread = turn->from;
    }
    std::vector<Stretch> found;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        if (part->thread != no_row) {
            add_own(part->thread, part->span, found);
        } else if (part->span.end > part->span.start) {
            found.push_back({part->span, IdleReason::late, {}});
        }
    }
    return found;
}

void HeldBack::add_own(Row thread, Interval span, std::vector<Stretch>& found) const
{
    Ns at = span.start;
    const auto fill = [&](Ns until) {
        if (until > at) {
            found.push_back({{at, until}, IdleReason::late, {}});
            at = until;
        }
    };
    if (thread < m_threads.size()) {
        const auto& stretches = m_threads[thread];
        auto next = std::partition_point(
            stretches.begin(), stretches.end(), [&](const Stretch& stretch) { return stretch.span.end <= span.start; });
        for (; next != stretches.end() && next->span.start < span.end; ++next) {
            const Interval part = common(next->span, {at, span.end});
            if (part.end > part.start) {
                fill(part.start);
                found.push_back({part, next->reason, next->because});
                at = part.end;
            }
        }
    }
    fill(span.end);
}

HeldBack::Stretch HeldBack::most(Row thread, Interval span) const
{
    constexpr Ns enough = 4;
    ReasonTimes times {};
    std::array<EventRef, idle_reason_count> because {};
    Ns held = 0;
    for (const auto& stretch : within(thread, span)) {
        const auto reason = static_cast<std::size_t>(stretch.reason);
        if (stretch.reason != IdleReason::late) {
            times[reason] += stretch.span.end - stretch.span.start;
            held += stretch.span.end - stretch.span.start;
            because[reason] = stretch.because;
        }
    }
    if (held * enough < span.end - span.start || held == 0) {
        return {span, IdleReason::late, {}};
    }
    const auto at = static_cast<std::size_t>(std::max_element(times.begin(), times.end()) - times.begin());
    return {span, static_cast<IdleReason>(at), because[at]};
}

}  // namespace lanes
