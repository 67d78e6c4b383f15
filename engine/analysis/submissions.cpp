// SPDX-License-Identifier: MIT
#include "engine/analysis/submissions.h"

#include "engine/analysis/call_class.h"
#include "engine/analysis/default_streams.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace lanes {

namespace {

constexpr std::uint64_t key(std::uint32_t process, std::uint32_t number)
{
    return std::uint64_t {process} << 32U | number;
}

constexpr void extend(LastWork& work, const LastWork& other)
{
    if (other.operation != no_row && (work.operation == no_row || other.end > work.end)) {
        work = other;
    }
}

}  // namespace

Submissions::Submissions(const Trace& trace)
    : m_trace(trace)
    , m_next_of_queue(trace.streams.size())
    , m_streams(trace.streams.size())
    , m_legacy(legacy_streams(trace))
    , m_blocking(trace.streams.size())
    , m_context_of_stream(trace.streams.size())
    , m_device_of_thread(trace.threads.size(), no_id)
{
    for (Row row = 0; row < trace.streams.size(); ++row) {
        const auto& stream = trace.streams[row];
        const auto [place, is_new]
            = m_context_index.try_emplace(key(stream.process, stream.context), m_contexts.size());
        if (is_new) {
            m_contexts.emplace_back();
        }
        m_context_of_stream[row] = place->second;
        m_streams_of_process[stream.process].push_back(row);
        m_blocking[row] = stream.flag == StreamRecord::blocking;
        if (is_new) {
            m_contexts_of_process[stream.process].push_back(place->second);
        }
    }

    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        auto& queue = m_queues.emplace_back(Queue {trace.operations_of(stream), {}});
        auto& [begin, end] = queue.rest;
        Ns before = INT64_MIN;
        bool sorted = true;
        for (Row row = begin; row < end; ++row) {
            const Ns now = submitted(row);
            sorted = sorted && before <= now;
            before = now;
        }
        if (!sorted) {
            queue.order.resize(queue.rest.size());
            std::iota(queue.order.begin(), queue.order.end(), begin);
            std::stable_sort(
                queue.order.begin(), queue.order.end(), [this](Row a, Row b) { return submitted(a) < submitted(b); });
            queue.rest = {0, end - begin};
        }
        m_next_of_queue.set(stream, queue.rest.empty() ? MergeTree::never : submitted(queue.front()));
    }

    const auto classes = call_classes(trace);
    for (Row row = 0; row < trace.syncs.size(); ++row) {
        const auto& sync = trace.syncs[row];
        const Row call = outermost(trace.calls, sync.call);
        const bool waits = call == no_row ? sync.type == SyncRecord::stream_wait_event
                                          : classes[trace.calls.name[call]] == CallClass::wait_event;
        if (waits && sync.stream != no_row) {
            m_waits.emplace_back(call == no_row ? sync.start : trace.calls.start[call], row);
        }
    }
    std::sort(m_waits.begin(), m_waits.end());
}

Ns Submissions::submitted(Row operation) const
{
    const Row call = outermost(m_trace.calls, m_trace.operations.call[operation]);
    const Ns start = m_trace.operations.start[operation];
    return call == no_row ? start : std::min(start, m_trace.calls.start[call]);
}

void Submissions::advance(Ns time)
{
    constexpr Ns never = MergeTree::never;
    for (;;) {
        const Ns operation = m_next_of_queue.time();
        const Ns event = m_next_event < m_trace.events.size() ? m_trace.events[m_next_event].time : never;
        const Ns wait_time = m_next_wait < m_waits.size() ? m_waits[m_next_wait].first : never;
        const Ns next = std::min({operation, event, wait_time});
        if (next >= time) {
            break;
        }
        m_time = next;
        if (operation == next) {
            const auto stream = m_next_of_queue.first();
            auto& queue = m_queues[stream];
            submit(queue.front());
            ++queue.rest.begin;
            m_next_of_queue.set(stream, queue.rest.empty() ? never : submitted(queue.front()));
        } else if (event == next) {
            record(m_trace.events[m_next_event++]);
        } else {
            wait(m_trace.syncs[m_waits[m_next_wait++].second]);
        }
    }
    m_time = time;
}

void Submissions::submit(Row operation)
{
    const auto& operations = m_trace.operations;
    const Row stream = operations.stream[operation];
    const LastWork work {operations.end[operation], operation};
    auto& context = m_contexts[m_context_of_stream[stream]];
    add(stream, work);
    extend(context.last, work);
    drop_ended(context, m_time);
    context.pending.emplace_back(work.end, operation);
    std::push_heap(context.pending.begin(), context.pending.end(), std::greater<>());
    if (const Row call = operations.call[operation]; call != no_row && m_trace.calls.thread[call] != no_row) {
        m_device_of_thread[m_trace.calls.thread[call]] = m_trace.streams[stream].device;
    }
}

/// What a stream has to do from now on.
void Submissions::add(Row stream, const LastWork& work)
{
    extend(m_streams[stream], work);
    if (m_blocking[stream]) {
        extend(m_contexts[m_context_of_stream[stream]].last_of_blocking, work);
    }
}

void Submissions::record(const Event& event)
{
    if (event.stream == no_row) {
        return;
    }
    const auto process = m_trace.streams[event.stream].process;
    const auto work = of_stream(event.stream);
    m_event_ids[key(process, event.event_id)] = work;
    if (event.event_sync != 0) {
        m_event_syncs[key(process, event.event_sync)] = work;
    }
}

void Submissions::wait(const Sync& sync)
{
    if (LastWork work; of_event(sync, &work)) {
        add(sync.stream, work);
    }
}

LastWork Submissions::of_stream(Row stream) const
{
    auto work = m_streams[stream];
    if (m_legacy[stream]) {
        extend(work, m_contexts[m_context_of_stream[stream]].last_of_blocking);
    }
    return work;
}

bool Submissions::of_event(const Sync& sync, LastWork* work) const
{
    if (sync.event_sync != 0) {
        if (const auto found = m_event_syncs.find(key(sync.process, sync.event_sync)); found != m_event_syncs.end()) {
            *work = found->second;
            return true;
        }
    }
    const auto found = m_event_ids.find(key(sync.process, sync.event_id));
    if (sync.event_id == no_id || found == m_event_ids.end()) {
        return false;
    }
    *work = found->second;
    return true;
}

void Submissions::drop_ended(ContextState& context, Ns time)
{
    auto& heap = context.pending;
    while (!heap.empty() && heap.front().first <= time) {
        std::pop_heap(heap.begin(), heap.end(), std::greater<>());
        heap.pop_back();
    }
}

std::size_t Submissions::pending(std::size_t context)
{
    drop_ended(m_contexts[context], m_time);
    return m_contexts[context].pending.size();
}

Row Submissions::last_pending_until(std::size_t context, Ns time) const
{
    LastWork last;
    for (const auto& [end, operation] : m_contexts[context].pending) {
        if (end <= time) {
            extend(last, {end, operation});
        }
    }
    return last.operation;
}

std::size_t Submissions::context_of(std::uint32_t process, std::uint32_t context) const
{
    const auto found = m_context_index.find(key(process, context));
    return found == m_context_index.end() ? no_context : found->second;
}

std::span<const Row> Submissions::streams_of_process(std::uint32_t process) const
{
    const auto found = m_streams_of_process.find(process);
    return found == m_streams_of_process.end() ? std::span<const Row>() : found->second;
}

std::span<const std::size_t> Submissions::contexts_of_process(std::uint32_t process) const
{
    const auto found = m_contexts_of_process.find(process);
    return found == m_contexts_of_process.end() ? std::span<const std::size_t>() : found->second;
}

std::vector<Row> Submissions::busy_streams_of_process(std::uint32_t process) const
{
    constexpr std::size_t few = 64;  // so many are asked faster than what is pending
    const auto streams = streams_of_process(process);
    std::size_t pending = 0;
    for (const auto context : contexts_of_process(process)) {
        pending += m_contexts[context].pending.size();
    }
    if (streams.size() <= few || pending >= streams.size()) {
        return {streams.begin(), streams.end()};
    }
    std::set<Row> busy;
    for (const auto context : contexts_of_process(process)) {
        for (const auto& [end, operation] : m_contexts[context].pending) {
            busy.insert(m_trace.operations.stream[operation]);
        }
    }
    return {busy.begin(), busy.end()};
}

}  // namespace lanes
