// SPDX-License-Identifier: MIT
#include "engine/replay/script.h"

#include "engine/analysis/blocking/default_streams.h"
#include "engine/analysis/blocking/event_waits.h"
#include "engine/analysis/blocking/gpu_clock.h"
#include "engine/analysis/blocking/issued_work.h"
#include "engine/analysis/facts/cuda_start.h"
#include "engine/analysis/facts/steady_state.h"
#include "engine/replay/alone.h"
#include "engine/replay/call_rows.h"
#include "engine/replay/hand_overs.h"
#include "engine/replay/host_work.h"
#include "engine/replay/meetings.h"
#include "engine/trace/event.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanes::replay {

namespace {

class Writer {
public:
    explicit Writer(const Graph& graph)
        : m_graph(graph)
        , m_trace(graph.trace())
        , m_blocking(graph.blocking())
        , m_classes(call_classes(m_trace))
        , m_issued(issued_work(m_trace, m_classes, gpu_clock_late(m_trace)))
        , m_legacy(legacy_streams(m_trace))
    {
    }
    Script run();

private:
    /// Something that a thread did, before it is an item.
    struct Thing {
        Ns start, end;
        Row row;
        Item::Kind kind;
    };

    void streams();
    void threads();
    Thing thing_of(EventRef event) const;
    void item(std::uint32_t thread, const Thing& thing, Ns before);
    void call(Item& item, Row row);
    void wait_of(Item& item, Row row);
    bool wait_of_record(Item& item, Row row);
    bool wait_of_release(Item& item, const BlockedCall* held);
    bool wait_of_copy(Item& item) const;
    void wait_for_context(Item& item) const;
    bool runs_on(const Item& item) const;
    void memory_call(Item& item, Row row);
    void issue(Item& item, Row row);
    Operation operation(Row row, Row call) const;
    void act(Item& item, Row row);

    const Graph& m_graph;
    const Trace& m_trace;
    const Blocking& m_blocking;
    std::vector<CallClass> m_classes;
    std::vector<Issued> m_issued;  ///< by call
    std::vector<bool> m_legacy;
    Alone m_alone;
    CallRows m_rows;
    std::map<Row, Ns> m_makes_context;  ///< by call
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_contexts;
    std::vector<std::uint32_t> m_item_of_span;
    std::vector<std::uint32_t> m_operation_of;  ///< by row
    Script m_script;
};

void Writer::streams()
{
    const auto& dependencies = m_graph.dependencies();
    for (Row row = 0; row < m_trace.streams.size(); ++row) {
        const auto& stream = m_trace.streams[row];
        const auto context = m_contexts.try_emplace({stream.process, stream.context}, m_contexts.size()).first->second;
        m_script.contexts.resize(m_contexts.size());
        ScriptStream to;
        to.row = row;
        to.context = context;
        to.device = dependencies.device_of[row];
        to.legacy = m_legacy[row];
        to.priority = m_trace.streams[row].priority;
        to.blocking = !to.legacy && stream.flag == StreamRecord::blocking;
        auto& of = m_script.contexts[context];
        of.streams.push_back(row);
        if (to.legacy) {
            of.legacy.push_back(row);
        } else if (to.blocking) {
            of.blocking.push_back(row);
        }
        m_script.streams.push_back(to);
    }
    m_script.devices = static_cast<std::uint32_t>(dependencies.devices);
    m_script.copy_engines = dependencies.copy_engines;
}

Writer::Thing Writer::thing_of(EventRef event) const
{
    const auto [start, end] = span_of(m_trace, event);
    if (event.table == EventTable::calls) {
        return {start, end, event.row, Item::call};
    }
    if (event.table == EventTable::reads) {
        return {start, end, event.row, Item::read};
    }
    const auto type = m_trace.host_spans[event.row].type;
    return {start, end, event.row,
        type == HostSpanRecord::work            ? Item::work
            : type == HostSpanRecord::queue_put ? Item::put
            : type == HostSpanRecord::queue_get ? Item::get
                                                : Item::join};
}

void Writer::threads()
{
    // A spin of queries is one wait, which begins with its first query.
    std::vector<std::pair<Row, Interval>> spins;
    for (const auto& stretch : m_blocking.calls) {
        if (stretch.cause == BlockCause::poll) {
            spins.emplace_back(stretch.call, Interval {stretch.start, stretch.end});
        }
    }
    std::sort(spins.begin(), spins.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::uint32_t thread = 0; thread < m_trace.threads.size(); ++thread) {
        m_script.first_item.push_back(static_cast<std::uint32_t>(m_script.items.size()));
        Ns before = 0;
        for (std::size_t place = 0; place < m_graph.items(thread); ++place) {
            auto thing = thing_of(m_graph.item(thread, place));
            if (const auto [spin, end] = rows_of(spins, thing.kind == Item::call ? thing.row : no_row); spin != end) {
                thing.start = spin->second.start;
                while (m_script.items.size() > m_script.first_item.back()
                    && m_script.items.back().start >= thing.start) {  // its earlier queries
                    m_script.items.pop_back();
                    before = m_script.items.size() > m_script.first_item.back() ? m_script.items.back().end : 0;
                }
            }
            item(thread, thing, before);
            before = std::max(before, thing.end);
        }
    }
    m_script.first_item.push_back(static_cast<std::uint32_t>(m_script.items.size()));
}

void Writer::item(std::uint32_t thread, const Thing& thing, Ns before)
{
    Item item;
    item.kind = thing.kind;
    item.row = thing.row;
    item.thread = thread;
    item.start = std::max(thing.start, before);
    item.end = std::max(thing.end, item.start);
    item.gap = item.start - before;
    item.own = item.end - item.start;
    if (thing.kind == Item::call) {
        call(item, thing.row);
    } else if (thing.kind != Item::read && thing.kind != Item::work) {
        m_item_of_span[thing.row] = static_cast<std::uint32_t>(m_script.items.size());
    }
    m_script.items.push_back(item);
}

void Writer::call(Item& item, Row row)
{
    item.type = m_classes[m_trace.calls.name[row]];
    issue(item, row);
    act(item, row);
    wait_of(item, row);
    if (const auto made = m_makes_context.find(row); made != m_makes_context.end()) {
        item.makes_context = made->second;
        item.own = std::max(item.own, made->second);  // also of a call that then waits for what it issued
    }
}

void Writer::wait_of(Item& item, Row row)
{
    const auto& ops = m_trace.operations;
    const auto stretches = m_blocking.of(row);
    const BlockedCall* held = nullptr;
    Ns queue_full = 0;
    for (const Row at : stretches) {
        const auto& stretch = m_blocking.calls[at];
        if (stretch.cause == BlockCause::queue_full) {
            queue_full += stretch.end - stretch.start;
        } else {
            held = &stretch;
        }
    }
    item.full = queue_full > 0;
    item.own = std::max<Ns>(0, item.own - queue_full);
    if (held != nullptr && held->cause == BlockCause::poll) {
        item.wait = Item::operation;
        item.target = held->released_by;  // a row for now, until all operations have their places
        item.held = held->released_by != no_row;
        item.wait = item.held ? Item::operation : Item::nothing;
        item.post = item.held ? item.end - ops.end[held->released_by] : 0;
        item.own = std::min(item.own, short_call);
        return;
    }
    if (item.type == CallClass::memory) {
        memory_call(item, row);
        return;
    }
    const Row own = m_issued[row].own;
    if (held != nullptr && held->cause == BlockCause::launch) {
        item.wait = Item::own_work;
    } else if (own != no_row) {
        const bool is_upload = ops.kind[own] == OperationKind::h2d;
        // A small upload of pageable memory is part of the command, or goes through a buffer of the driver.
        const bool returns = held == nullptr && is_upload && m_issued[row].pageable && item.end < ops.end[own];
        item.wait = returns ? Item::nothing : Item::own_work;
    } else if (!wait_of_record(item, row) && !wait_of_release(item, held) && !wait_of_copy(item)) {
        return;
    }
    if (item.wait == Item::nothing) {
        return;
    }
    const Row released = held != nullptr ? held->released_by : own;
    const bool waited = held != nullptr || (own != no_row && item.end > ops.end[own]);
    if (released != no_row && waited) {
        item.held = true;
        item.post = item.end - ops.end[released];
        item.own = std::min(item.own, short_call);
    }
}

/// Sets what the record of its synchronisation says; false: there is none.
bool Writer::wait_of_record(Item& item, Row row)
{
    const auto [first, last] = rows_of(m_rows.syncs, row);
    for (auto at = first; at != last; ++at) {
        const auto& sync = m_trace.syncs[at->second];
        if (sync.type == SyncRecord::stream_sync && sync.stream != no_row) {
            item.wait = Item::stream;
            item.target = sync.stream;
        } else if (sync.type == SyncRecord::context_sync) {
            const auto context = m_contexts.find({sync.process, sync.context});
            if (context != m_contexts.end()) {
                item.wait = Item::context;
                item.target = context->second;
            }
        } else if (sync.type == SyncRecord::event) {
            if (const auto waited = m_rows.waited.find(at->second); waited != m_rows.waited.end()) {
                item.wait = Item::event;
                item.target = waited->second;
            }
        }
    }
    // A query only asks: without a spin it waited for nothing.
    if (item.type == CallClass::query) {
        item.wait = Item::nothing;
    }
    return item.wait != Item::nothing;
}

/// The same where there is no record, as in traces of ROCm: from what released the call. One that nothing held may be
/// held in a changed run, if it waits for the device. False: it is not known what it waits for, or it asked only.
bool Writer::wait_of_release(Item& item, const BlockedCall* held)
{
    if (held == nullptr && item.type == CallClass::device_sync && m_trace.calls.result[item.row] == 0) {
        wait_for_context(item);
        item.wait = item.wait == Item::context && runs_on(item) ? Item::nothing : item.wait;
        return item.wait != Item::nothing;
    }
    if (held == nullptr || held->released_by == no_row || item.type == CallClass::query) {
        return false;
    }
    const Row stream = m_trace.operations.stream[held->released_by];
    switch (held->cause) {
    case BlockCause::device_sync:
        item.wait = Item::context;
        item.target = m_script.streams[stream].context;
        return true;
    case BlockCause::stream_sync:
        item.wait = Item::stream;
        item.target = stream;
        return true;
    case BlockCause::event_sync:
        item.wait = Item::operation;
        item.target = held->released_by;  // a row for now
        return true;
    case BlockCause::copy:
    case BlockCause::staging:
    case BlockCause::launch:
    case BlockCause::poll:
    case BlockCause::queue_full:
    case BlockCause::memory:
    case BlockCause::other:
        break;
    }
    return false;
}

/// The same in a trace without such records, of a call that waited for nothing: PyTorch waits for a copy's stream right
/// after the copy, unless it is non_blocking. A copy of pageable memory to the host has ended by then; of pinned memory
/// it would not have. False: no copy comes right before it.
bool Writer::wait_of_copy(Item& item) const
{
    if (item.type != CallClass::stream_sync || !m_trace.syncs.empty()) {
        return false;
    }
    for (auto at = m_script.items.size(); at > m_script.first_item.back(); --at) {
        const auto& before = m_script.items[at - 1];
        if (before.type == CallClass::own_state || before.type == CallClass::query) {
            continue;
        }
        const bool copies = before.kind == Item::call && before.operations == 1
            && is_copy(m_script.operations[before.first_operation].kind);
        item.wait = copies ? Item::stream : Item::nothing;
        item.target = copies ? m_script.operations[before.first_operation].stream : item.target;
        return copies;
    }
    return false;
}

/// It waits for the context that the thread last worked with, if there is one.
void Writer::wait_for_context(Item& item) const
{
    for (auto at = m_script.items.size(); at > m_script.first_item.back(); --at) {
        const auto& earlier = m_script.items[at - 1];
        if (earlier.operations > 0) {
            const auto& operation = m_script.operations[earlier.first_operation];
            item.wait = Item::context;
            item.target = m_script.streams[operation.stream].context;
            break;
        }
    }
}

/// Whether it returned while work ran that was submitted to its context before.
bool Writer::runs_on(const Item& item) const
{
    const auto& streams = m_script.contexts[item.target].streams;
    return std::any_of(streams.begin(), streams.end(), [&](Row stream) {
        const Row next = first_submitted(m_trace, stream, item.start);
        return next > m_trace.operations_of(stream).begin && m_trace.operations.end[next - 1] > item.end;
    });
}

/// cudaFree and similar calls may wait for the device; the record says which did.
void Writer::memory_call(Item& item, Row row)
{
    if (!waits_for_device(m_trace.text(m_trace.calls.name[row]))) {
        return;
    }
    Row released = no_row;
    for (const Row at : m_blocking.of(row)) {
        if (m_blocking.calls[at].cause == BlockCause::memory) {
            released = m_graph.released_by(at);
        }
    }
    wait_for_context(item);
    const auto& ops = m_trace.operations;
    if (item.wait == Item::context && released != no_row && ops.end[released] <= item.end) {
        if (runs_on(item)) {
            item.wait = Item::nothing;
        } else {
            item.held = true;
            item.post = item.end - ops.end[released];
            item.own = std::max(short_call, item.own - std::max<Ns>(0, ops.end[released] - item.start));
        }
    }
}

void Writer::issue(Item& item, Row row)
{
    item.first_operation = static_cast<std::uint32_t>(m_script.operations.size());
    const auto [first, last] = rows_of(m_rows.operations, row);
    for (auto at = first; at != last; ++at) {
        m_operation_of[at->second] = static_cast<std::uint32_t>(m_script.operations.size());
        m_script.operations.push_back(operation(at->second, row));
    }
    item.operations = static_cast<std::uint32_t>(m_script.operations.size()) - item.first_operation;
    if (item.operations == 0 && item.type == CallClass::graph_launch && m_trace.calls.result[row] == 0) {
        ++m_script.gaps.empty_graphs;
    }
}

/// `call`: no_row if it was issued before the recording.
Operation Writer::operation(Row row, Row call) const
{
    const auto& ops = m_trace.operations;
    const auto& starts = m_graph.starts();
    Operation to;
    to.row = row;
    to.kind = ops.kind[row];
    to.stream = ops.stream[row];
    to.length = m_alone.length[row];
    to.share = m_alone.share[row];
    to.streams = m_alone.streams[row];
    to.tail = m_alone.tail[row];
    to.crowd = m_alone.crowd.empty() ? Crowd {} : m_alone.crowd[row];
    if (is_copy(to.kind)) {
        const auto& copy = m_trace.copies[ops.detail[row]];
        to.pageable = copy.source == MemoryKind::pageable || copy.target == MemoryKind::pageable;
    }
    const Row after = starts.after(row);
    to.bound = starts.cause(row);
    const Ns start = ops.start[row];
    const bool is_before = call == no_row;  // the recording
    const Ns issued = is_before ? 0 : m_trace.calls.start[call];
    if (to.bound == StartCause::unknown || (to.bound != StartCause::launch && after == no_row)) {
        // Its cause is not known: it keeps its recorded distance from the operation before it.
        const bool has_before = row > 0 && ops.stream[row - 1] == to.stream && ops.end[row - 1] <= start;
        to.bound = has_before && ops.end[row - 1] > issued ? StartCause::stream : StartCause::launch;
        to.delay = start - (to.bound == StartCause::stream ? ops.end[row - 1] : issued);
    } else {
        to.delay = start - (to.bound == StartCause::launch ? issued : ops.end[after]);
    }
    if (to.bound == StartCause::multiprocessors) {
        to.delay = 0;
        to.lay = to.share == 0 ? starts.ready_time(row) : 0;
    }
    to.was = start;
    to.of_graph = !is_before && m_classes[m_trace.calls.name[call]] == CallClass::graph_launch;
    if (to.of_graph && to.bound == StartCause::graph && outermost(m_trace.calls, ops.call[after]) == call) {
        to.after = m_operation_of[after];
    }
    // Nodes of one graph launch may run side by side on one stream.
    if (!is_before && row > 0 && ops.stream[row - 1] == to.stream && ops.end[row - 1] > start
        && outermost(m_trace.calls, ops.call[row - 1]) == call) {
        to.beside = true;
    } else if (row > 0 && ops.stream[row - 1] == to.stream && ops.end[row - 1] > start) {  // a dependent launch
        to.lead = static_cast<float>(start - ops.start[row - 1])
            / static_cast<float>(ops.end[row - 1] - ops.start[row - 1]);
    }
    return to;
}

void Writer::act(Item& item, Row row)
{
    item.first_action = static_cast<std::uint32_t>(m_script.actions.size());
    const auto [first, last] = rows_of(m_rows.actions, row);
    for (auto at = first; at != last; ++at) {
        m_script.actions.push_back(at->second);
    }
    item.actions = static_cast<std::uint32_t>(m_script.actions.size()) - item.first_action;
}

Script Writer::run()
{
    m_script.constants = find_constants(m_graph);
    m_alone = find_alone(m_graph, m_script.constants.table);
    m_item_of_span.resize(m_trace.host_spans.size(), none);
    m_operation_of.resize(m_trace.operations.size(), none);
    m_rows = rows_by_call(m_graph);
    for (const auto& [call, span] : cuda_starts(m_trace)) {
        m_makes_context[call] = span.end - span.start;
    }
    m_script.events = m_rows.events;
    m_script.gaps.orphans = m_rows.orphans;
    streams();
    for (const Row row : m_rows.before) {
        m_operation_of[row] = m_script.before++;
        m_script.operations.push_back(operation(row, no_row));
    }
    threads();
    for (auto& item : m_script.items) {
        if (item.wait == Item::operation) {
            item.target = m_operation_of[item.target];
            item.wait = item.target == none ? Item::nothing : item.wait;
        }
    }
    join_queues(m_graph, m_item_of_span, m_script);
    join_ends(m_trace, m_item_of_span, m_script);
    assume_hand_overs(m_trace, m_script);
    join_gangs(m_graph, m_operation_of, m_alone.placed, m_script);
    find_varying_work(m_trace, m_script);
    m_script.recorded_end = m_graph.last_end();
    if (const auto& repetition = m_graph.repetition()) {
        m_script.repeats = repetition->steady.span;
        m_script.iterations = repetition->steady.count;
    }
    const auto works = working_threads(m_trace);
    for (auto& item : m_script.items) {
        const Row thread = item.kind == Item::call ? m_trace.calls.thread[item.row] : no_row;
        item.counts = item.kind == Item::call && (thread == no_row || works[thread]);
    }
    return std::move(m_script);
}

}  // namespace

Script make_script(const Graph& graph)
{
    return Writer(graph).run();
}

}  // namespace lanes::replay
