// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/submissions.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/blocking/default_streams.h"
#include "engine/analysis/blocking/look_ahead.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/recorded_part.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace lanes {

namespace {

constexpr std::uint64_t process_key(std::uint32_t process, std::uint32_t number)
{
    return std::uint64_t {process} << 32U | number;
}

/// Adds `other` to what one waits for, without its work that has no time.
void extend_timed(LastWork& work, const LastWork& other)
{
    // Of operations that end together the one that began first counts: if any of them held the call, it did.
    if (other.any && (!work.any || other.end > work.end || (other.end == work.end && other.began < work.began))) {
        work.began = other.began;
        work.end = other.end;
        work.operation = other.operation;
        work.any = true;
    }
    CalllessWork::extend(work.may, other.may);
}

/// Adds `other` to what one waits for.
void extend(LastWork& work, const LastWork& other)
{
    extend_timed(work, other);
    UntimedWork::extend(work.untimed, other.untimed);
}

LastWork work_of(Ns began, Ns end, Row operation)
{
    return {.began = began, .end = end, .operation = operation, .any = true, .may = nullptr, .untimed = nullptr};
}

}  // namespace

Submissions::Submissions(const Trace& trace)
    : m_trace(trace)
    , m_callless(trace)
    , m_untimed(trace)
    , m_next_of_queue(trace.streams.size())
    , m_streams(trace.streams.size())
    , m_legacy(legacy_streams(trace))
    , m_blocking(trace.streams.size())
    , m_context_of_stream(trace.streams.size())
    , m_device_of_thread(trace.threads.size(), no_id)
{
    for (const auto& part : recorded_parts(trace)) {
        if (part.begins_in_the_middle() && m_cut_off.insert(part.process).second) {
            m_untimed.submit_to_process(part.process);
        }
    }
    add_streams();
    add_queues();
    add_others();
    add_callless_events();
}

void Submissions::add_streams()
{
    for (Row row = 0; row < m_trace.streams.size(); ++row) {
        const auto& stream = m_trace.streams[row];
        const auto [place, is_new]
            = m_context_index.try_emplace(process_key(stream.process, stream.context), m_contexts.size());
        if (is_new) {
            m_contexts.emplace_back();
        }
        m_context_of_stream[row] = place->second;
        m_streams_of_process[stream.process].push_back(row);
        m_blocking[row] = stream.flag == StreamRecord::blocking;
        m_contexts[place->second].streams.push_back(row);
        if (m_legacy[row]) {
            m_contexts[place->second].legacy.push_back(row);
        }
        if (is_new) {
            m_contexts_of_process[stream.process].push_back(place->second);
        }
    }
}

void Submissions::add_queues()
{
    for (Row stream = 0; stream < m_trace.streams.size(); ++stream) {
        auto& queue = m_queues.emplace_back(Queue {m_trace.operations_of(stream), {}});
        auto& [begin, end] = queue.rest;
        Ns before = INT64_MIN;
        bool sorted = true;
        for (Row row = begin; row < end; ++row) {
            look_ahead_through(m_trace.operations.call, row, m_trace.calls.outer, m_trace.calls.start);
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
}

void Submissions::add_others()
{
    const auto classes = call_classes(m_trace);
    const auto& calls = m_trace.calls;
    for (Row row = 0; row < m_trace.syncs.size(); ++row) {
        const auto& sync = m_trace.syncs[row];
        const Row call = outermost(calls, sync.call);
        const bool waits = call == no_row ? sync.type == SyncRecord::stream_wait_event
                                          : classes[calls.name[call]] == CallClass::wait_event;
        if (waits && sync.stream != no_row) {
            m_others.push_back({call == no_row ? sync.start : calls.start[call], row, Other::wait});
        }
    }
    std::set<Row> told;  // calls of which there is a record
    for (Row row = 0; row < m_trace.host_functions.size(); ++row) {
        const auto& function = m_trace.host_functions[row];
        const Row call = outermost(calls, function.call);
        told.insert(call);
        if (function.stream != no_row) {
            m_others.push_back({call == no_row ? function.start : calls.start[call], row, Other::host_function});
        }
    }
    const bool any_hidden = std::find(classes.begin(), classes.end(), CallClass::hidden_work) != classes.end();
    for (Row call = 0; any_hidden && call < calls.size(); ++call) {
        if (calls.outer[call] == no_row && classes[calls.name[call]] == CallClass::hidden_work
            && calls.thread[call] != no_row && calls.result[call] == 0 && !told.contains(call)) {
            m_others.push_back({calls.start[call], call, Other::hidden});
        }
    }
    std::sort(m_others.begin(), m_others.end());
    add_graphs(classes);
}

/// If one launch of a graph ran nodes on several streams, the recording does not say which is the launching stream. The
/// other streams belong to the graph alone, so that nobody else asks for them.
void Submissions::add_graphs(const std::vector<CallClass>& classes)
{
    struct Launched {
        Row stream;
        bool several = false;
        Graph graph;
    };
    if (std::find(classes.begin(), classes.end(), CallClass::graph_launch) == classes.end()) {
        return;
    }
    std::unordered_map<Row, Launched> launches;
    Row last = no_row;  // the nodes of one launch are adjacent
    Launched* of_last = nullptr;
    const auto take = [&](Row direct, Row stream) -> Graph* {
        const Row call = outermost(m_trace.calls, direct);
        if (call == no_row || classes[m_trace.calls.name[call]] != CallClass::graph_launch) {
            return nullptr;
        }
        if (call != last) {
            of_last = &launches.try_emplace(call, Launched {stream, false, {}}).first->second;
            last = call;
        }
        of_last->several = of_last->several || of_last->stream != stream;
        return &of_last->graph;
    };
    const auto& operations = m_trace.operations;
    for (Row row = 0; row < operations.size(); ++row) {
        if (auto* graph = take(operations.call[row], operations.stream[row])) {
            extend(graph->work, work_of(operations.start[row], operations.end[row], row));
        }
    }
    for (const auto& function : m_trace.host_functions) {
        if (auto* graph = take(function.call, function.stream)) {
            extend(graph->work, function.timed ? work_of(function.start, function.end, no_row) : LastWork {});
            graph->untimed = graph->untimed || !function.timed;
        }
    }
    for (auto& [call, launched] : launches) {
        if (launched.several) {
            m_graphs.emplace(call, std::move(launched.graph));
        }
    }
}

/// A record of an event whose call is not in the recording has a place in its stream if the GPU recorded its time.
void Submissions::add_callless_events()
{
    for (const auto& event : m_trace.events) {
        if (event.call != no_row || event.device_time < 0 || event.stream == no_row) {
            continue;
        }
        LastWork work;
        const auto rows = m_trace.operations_of(event.stream);
        for (Row row = rows.begin; row < rows.end && m_trace.operations.start[row] < event.device_time; ++row) {
            if (m_trace.operations.end[row] <= event.device_time) {
                extend(work, work_of(m_trace.operations.start[row], m_trace.operations.end[row], row));
            }
        }
        keep(event, work);
    }
}

Ns Submissions::submitted(Row operation) const
{
    const Row call = outermost(m_trace.calls, m_trace.operations.call[operation]);
    return call == no_row ? m_callless.submitted(operation)
                          : std::min(m_trace.operations.start[operation], m_trace.calls.start[call]);
}

void Submissions::advance(Ns time)
{
    constexpr Ns never = MergeTree::never;
    for (;;) {
        const Ns operation = m_next_of_queue.time();
        const Ns event = m_next_event < m_trace.events.size() ? m_trace.events[m_next_event].time : never;
        const Ns other = m_next_other < m_others.size() ? m_others[m_next_other].time : never;
        const Ns next = std::min({operation, event, other});
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
            const auto& [now, row, kind] = m_others[m_next_other++];
            if (kind == Other::wait) {
                wait(m_trace.syncs[row]);
            } else if (kind == Other::host_function) {
                submit_function(m_trace.host_functions[row]);
            } else {
                m_untimed.submit_to_process(m_trace.threads[m_trace.calls.thread[row]].process);
            }
        }
    }
    m_time = time;
}

void Submissions::submit(Row operation)
{
    const auto& operations = m_trace.operations;
    look_ahead(operation, operations.start, operations.end, operations.stream, operations.call);
    const Row stream = operations.stream[operation];
    const Row call = outermost(m_trace.calls, operations.call[operation]);
    auto& context = m_contexts[m_context_of_stream[stream]];
    m_untimed.outlast(stream, m_streams[stream].untimed);
    if (const auto graph = m_graphs.empty() ? m_graphs.end() : m_graphs.find(call); graph == m_graphs.end()) {
        add(stream, work_of(operations.start[operation], operations.end[operation], operation));
    } else {
        add(stream, graph->second);
    }
    drop_ended(context, m_time);
    context.pending.emplace_back(operations.end[operation], operation);
    std::push_heap(context.pending.begin(), context.pending.end(), std::greater<>());
    if (call != no_row && m_trace.calls.thread[call] != no_row) {
        m_device_of_thread[m_trace.calls.thread[call]] = m_trace.streams[stream].device;
    }
}

void Submissions::submit_function(const HostFunction& function)
{
    const auto graph = m_graphs.find(outermost(m_trace.calls, function.call));
    if (function.timed) {
        m_untimed.outlast(function.stream, m_streams[function.stream].untimed);
        add(function.stream, work_of(function.start, function.end, no_row));
        auto& functions = m_contexts[m_context_of_stream[function.stream]].functions;
        std::erase_if(functions, [this](const Interval& other) { return other.end <= m_time; });
        functions.push_back({function.start, function.end});
    } else {
        m_untimed.submit(function.stream);
    }
    if (graph != m_graphs.end()) {
        add(function.stream, graph->second);
    }
}

void Submissions::add(Row stream, const Graph& graph)
{
    add(stream, graph.work);
    if (graph.untimed) {
        m_untimed.submit(stream);
    }
}

/// What a stream has to do from now on.
void Submissions::add(Row stream, const LastWork& work)
{
    extend(m_streams[stream], work);
    // Later work of the stream ends its own work without a time, but not that of other streams.
    auto& context = m_contexts[m_context_of_stream[stream]];
    extend_timed(context.last, work);
    if (m_blocking[stream]) {
        extend_timed(context.last_of_blocking, work);
    }
    if (m_legacy[stream]) {
        extend_timed(context.last_of_legacy, work);
    }
}

void Submissions::record(const Event& event)
{
    if (event.stream == no_row || event.call == no_row) {
        return;  // without its call: add_callless_events()
    }
    auto work = of_stream(event.stream);
    if (m_blocking[event.stream]) {
        const auto& context = m_contexts[m_context_of_stream[event.stream]];
        extend(work, context.last_of_legacy);
        for (const Row legacy : context.legacy) {
            const auto of_legacy = so_far(legacy);
            UntimedWork::extend(work.untimed, of_legacy.untimed);
            CalllessWork::extend(work.may, of_legacy.may);
        }
    }
    keep(event, work);
}

void Submissions::keep(const Event& event, const LastWork& work)
{
    const auto& stream = m_trace.streams[event.stream];
    if (event.event_sync != 0) {
        m_event_syncs[process_key(stream.process, event.event_sync)] = work;
    }
    auto& of_id = m_event_ids[process_key(stream.process, event.event_id)];
    const auto known
        = std::find_if(of_id.begin(), of_id.end(), [&](const EventWork& of) { return of.context == stream.context; });
    EventWork latest {stream.context, event.event_sync == 0, work};
    if (known == of_id.end()) {
        of_id.push_back(std::move(latest));
    } else {
        *known = std::move(latest);
    }
}

void Submissions::wait(const Sync& sync)
{
    if (LastWork work; of_event(sync, &work)) {
        add(sync.stream, work);
    }
}

/// What was submitted to a stream itself.
LastWork Submissions::so_far(Row stream) const
{
    auto work = m_streams[stream];
    m_callless.extend(work.may, stream, m_time);
    m_untimed.extend(work.untimed, stream);
    return work;
}

LastWork Submissions::of_stream(Row stream) const
{
    auto work = so_far(stream);
    if (!m_legacy[stream]) {
        return work;
    }
    const auto& context = m_contexts[m_context_of_stream[stream]];
    extend(work, context.last_of_blocking);
    extend_uncertain(work, context, [this](Row other) { return m_blocking[other]; });
    return work;
}

LastWork Submissions::of_context(std::size_t index) const
{
    const auto& context = m_contexts[index];
    auto work = context.last;
    extend_uncertain(work, context, [](Row) { return true; });
    return work;
}

/// Adds what is uncertain of the work of those streams of a context that are `wanted`.
template <class Wanted>
void Submissions::extend_uncertain(LastWork& work, const ContextState& context, const Wanted& wanted) const
{
    if (m_callless.none() && m_untimed.none()) {
        return;
    }
    std::vector<UntimedWork::Submitted> untimed;
    const auto gather = [&](const UntimedWork::Reach& reach) {
        if (reach != nullptr) {
            untimed.insert(untimed.end(), reach->begin(), reach->end());
        }
    };
    gather(work.untimed);
    for (const Row stream : context.streams) {
        if (wanted(stream)) {
            const auto of_stream = so_far(stream);
            CalllessWork::extend(work.may, of_stream.may);
            gather(of_stream.untimed);
        }
    }
    work.untimed = UntimedWork::united(std::move(untimed));
}

bool Submissions::of_event(const Sync& sync, LastWork* work) const
{
    if (sync.event_sync != 0) {
        if (const auto found = m_event_syncs.find(process_key(sync.process, sync.event_sync));
            found != m_event_syncs.end()) {
            *work = found->second;
            return true;
        }
    }
    const auto found = m_event_ids.find(process_key(sync.process, sync.event_id));
    if (sync.event_id == no_id || found == m_event_ids.end()) {
        return false;
    }
    // Two contexts may have an event of one number; a wait may name the context that was current, not the event's.
    const auto& of_id = found->second;
    auto of = std::find_if(of_id.begin(), of_id.end(), [&](const EventWork& e) { return e.context == sync.context; });
    of = of == of_id.end() && of_id.size() == 1 ? of_id.begin() : of;
    if (of == of_id.end() || (sync.event_sync != 0 && !of->by_id)) {  // the recording lacks that very record
        return false;
    }
    *work = of->work;
    return true;
}

bool Submissions::callless_may_hold(std::uint32_t process, Ns start, Ns end) const
{
    CalllessWork::Reach any;
    for (const Row stream : streams_of_process(process)) {
        m_callless.extend(any, stream, start);
    }
    return m_callless.hold(any, start, end);
}

bool Submissions::earlier_may_run(std::uint32_t process, Ns time) const
{
    const auto streams = streams_of_process(process);
    return begins_in_the_middle(process) && std::any_of(streams.begin(), streams.end(), [&](Row stream) {
        const auto rows = m_trace.operations_of(stream);
        return !rows.empty() && m_trace.operations.start[rows.begin] > time;
    });
}

bool Submissions::any_may_hold(std::uint32_t process, Ns start, Ns end) const
{
    const auto contexts = contexts_of_process(process);
    return callless_may_hold(process, start, end)
        || std::any_of(contexts.begin(), contexts.end(), [&](std::size_t context) {
               if (end - start > ordinary_call && of_context(context).is_untimed()) {
                   return true;
               }
               const auto& pending = m_contexts[context].pending;
               const auto& functions = m_contexts[context].functions;
               return std::any_of(pending.begin(), pending.end(), [&](const auto& work) {
                   return held(start, end, m_trace.operations.start[work.second], work.first);
               }) || std::any_of(functions.begin(), functions.end(), [&](const Interval& function) {
                   return held(start, end, function.start, function.end);
               });
           });
}

std::size_t Submissions::may_be_pending(std::size_t context) const
{
    std::size_t sum = 0;
    if (!m_callless.none()) {
        for (const Row stream : m_contexts[context].streams) {
            sum += m_callless.count(stream, m_time);
        }
    }
    return sum;
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
    std::pair<Ns, Row> last {0, no_row};
    for (const auto& work : m_contexts[context].pending) {
        const bool is_later = last.second == no_row || work.first > last.first
            || (work.first == last.first && work.second < last.second);  // whatever the heap's order
        last = work.first <= time && is_later ? work : last;
    }
    return last.second;
}

std::size_t Submissions::context_of(std::uint32_t process, std::uint32_t context) const
{
    const auto found = m_context_index.find(process_key(process, context));
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
    constexpr std::size_t few = 64;  // asking this many streams is faster than going through what is pending
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
