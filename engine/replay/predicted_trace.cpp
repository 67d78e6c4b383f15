// SPDX-License-Identifier: MIT
#include "engine/replay/predicted_trace.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/trace/event.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_to_builder.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace lanes::replay {

namespace {

constexpr std::uint32_t gone = 0xFFFFFFFEU;  // the process of what the predicted run lacks

/// Maps recorded times of a thread to the replay. A time within an item keeps its relative place. A time between two
/// items keeps its distance from the end of the first, but is never after the start of the second.
class ThreadClock {
public:
    void add(Ns was_start, Ns was_end, Ns start, Ns end) { m_spans.push_back({was_start, was_end, start, end}); }

    Ns at(Ns time) const
    {
        const auto next = std::upper_bound(
            m_spans.begin(), m_spans.end(), time, [](Ns t, const Span& span) { return t < span.was_start; });
        if (next == m_spans.begin()) {
            return next == m_spans.end() ? time : std::min(time, next->start);
        }
        const auto& span = *(next - 1);
        if (time <= span.was_end) {
            const Ns length = span.was_end - span.was_start;
            const Ns now = span.end - span.start;
            const Ns into = time - span.was_start;
            return length == 0  ? span.start
                : now == length ? span.start + into
                                : span.start
                    + static_cast<Ns>(
                        static_cast<double>(into) * static_cast<double>(now) / static_cast<double>(length));
        }
        const Ns moved = span.end + (time - span.was_end);
        return next == m_spans.end() ? moved : std::min(moved, std::max(next->start, span.end));
    }

private:
    struct Span {
        Ns was_start, was_end, start, end;
    };
    std::vector<Span> m_spans;  ///< by time
};

class Retimed {
public:
    Retimed(const Trace& recorded, const Script& script, const Replayed& replayed)
        : m_recorded(recorded)
        , m_trace(recorded)
        , m_script(script)
        , m_replayed(replayed)
        , m_clocks(recorded.threads.size())
    {
    }
    Trace run(const std::vector<Change>& changes);

private:
    void add_nowhere();
    void streams();
    void threads();
    void calls();
    void join_graph(Row row, std::size_t index);
    void operations();
    void rest();
    void pieces();
    void orders();
    void set_bytes(Row row, const Operation& operation);
    void rename(const Item& item);
    void order(const Item& item, std::uint32_t index);
    void drop_queries(const Item& spin);
    /// Maps a time of the call's thread, else of `thread`; unchanged if neither is known.
    Ns moved(Ns time, Row call, Row thread = no_row) const
    {
        const Row of = call != no_row ? m_recorded.calls.thread[call] : thread;
        return of == no_row || of >= m_clocks.size() ? time : m_clocks[of].at(time);
    }

    const Trace& m_recorded;
    Trace m_trace;
    const Script& m_script;
    const Replayed& m_replayed;
    std::vector<ThreadClock> m_clocks;
    Row m_no_thread = no_row, m_no_stream = no_row;  ///< for what is left out
    std::vector<Row> m_stream_rows;  ///< by stream of the script
    std::vector<bool> m_dropped;  ///< by call
    std::vector<std::uint32_t> m_graph_of;  ///< by operation: the item that launches its graph, or none
    std::uint32_t m_next_event = 1;
};

void Retimed::add_nowhere()
{
    m_no_thread = static_cast<Row>(m_trace.threads.size());
    m_trace.threads.push_back({gone, 0, 0, 0});
    m_no_stream = static_cast<Row>(m_trace.streams.size());
    Stream stream {};
    stream.process = gone;
    m_trace.streams.push_back(stream);
}

void Retimed::streams()
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last;  // ids, by process and context
    for (const auto& stream : m_recorded.streams) {
        auto& most = last[{stream.process, stream.context}];
        most = std::max(most, stream.id);
    }
    for (const auto& of : m_script.streams) {
        if (of.row != no_row) {
            m_stream_rows.push_back(of.row);
            continue;
        }
        if (of.within != none) {
            m_stream_rows.push_back(m_script.streams[of.within].row);
            continue;
        }
        auto stream = m_recorded.streams[m_script.streams[of.home].row];
        const auto label = m_recorded.label_of(stream);
        const auto& home = m_script.streams[of.home];
        const auto index = m_stream_rows.size();
        const auto dealt = std::find(home.dealt.begin(), home.dealt.end(), index);
        const auto what = index == home.uploads ? std::string("H2D")
            : index == home.downloads           ? std::string("D2H")
            : index == home.collectives         ? std::string("NCCL")
                                                : std::to_string(dealt - home.dealt.begin() + 2);
        stream.id = ++last[{stream.process, stream.context}];
        stream.flag = StreamRecord::non_blocking;
        stream.name = m_trace.strings.intern(label + ' ' + what);
        m_stream_rows.push_back(static_cast<Row>(m_trace.streams.size()));
        m_trace.streams.push_back(stream);
    }
    if (!m_script.legacy_order) {
        for (auto& stream : m_trace.streams) {
            stream.flag = stream.flag == StreamRecord::blocking ? StreamRecord::non_blocking : stream.flag;
        }
    }
}

void Retimed::threads()
{
    std::vector<std::size_t> order(m_script.items.size());  // a change may have moved later items forward
    std::iota(order.begin(), order.end(), std::size_t {0});
    const auto began_before = [&](std::size_t a, std::size_t b) {
        const auto& items = m_script.items;
        return std::pair(items[a].thread, items[a].start) < std::pair(items[b].thread, items[b].start);
    };
    if (!std::is_sorted(order.begin(), order.end(), began_before)) {
        std::stable_sort(order.begin(), order.end(), began_before);
    }
    for (const auto index : order) {
        const auto& item = m_script.items[index];
        if (item.piece > 0) {
            continue;
        }
        m_clocks[item.thread].add(item.start, item.end, m_replayed.item_start[index], m_replayed.item_end[index]);
    }
}

void Retimed::rename(const Item& item)
{
    auto& name = m_trace.calls.name[item.row];
    const auto text = m_recorded.text(name);
    if (item.wait != Item::nothing) {
        return;
    }
    if (item.type == CallClass::graph_launch && class_of(text) != CallClass::graph_launch) {
        name = m_trace.strings.intern("cudaGraphLaunch");
    } else if (item.type == CallClass::memory && (text == "cudaMalloc" || text == "cudaFree")
        && item.own < item.end - item.start) {
        name = m_trace.strings.intern(std::string(text) + "Async");
    } else if (item.type == CallClass::copy && text == "cudaMemcpy") {
        name = m_trace.strings.intern("cudaMemcpyAsync");
        for (std::uint32_t i = 0; i < item.operations; ++i) {
            const Row row = m_script.operations[item.first_operation + i].row;
            if (is_copy(m_recorded.operations.kind[row])) {
                m_trace.copies[m_recorded.operations.detail[row]].async = true;
            }
        }
    }
}

/// A wait that became a wait of streams: what is issued next on another stream follows an event.
void Retimed::order(const Item& item, std::uint32_t index)
{
    m_trace.calls.name[item.row] = m_trace.strings.intern("cudaStreamWaitEvent");
    Row behind = no_row;
    for (auto next = index + 1; next < m_script.first_item[item.thread + 1] && behind == no_row; ++next) {
        const auto& other = m_script.items[next];
        if (!other.dropped && other.operations > 0) {
            behind = m_stream_rows[m_script.operations[other.first_operation].stream];
        }
    }
    Row before = item.ordered == Item::stream ? m_stream_rows[item.target] : no_row;
    for (auto earlier = index; earlier > m_script.first_item[item.thread] && before == no_row; --earlier) {
        const auto& other = m_script.items[earlier - 1];
        if (!other.dropped && other.operations > 0) {
            before = m_stream_rows[m_script.operations[other.first_operation].stream];
        }
    }
    if (behind == no_row || before == no_row) {
        return;
    }
    const auto number = m_next_event++;
    m_trace.events.push_back({m_replayed.item_start[index], -1, item.row, before, number, number});
    bool has_sync = false;
    for (auto& sync : m_trace.syncs) {
        if (outermost(m_recorded.calls, sync.call) == item.row) {
            sync.type = SyncRecord::stream_wait_event;
            sync.stream = behind;
            sync.event_id = sync.event_sync = number;
            has_sync = true;
        }
    }
    if (!has_sync) {  // a spin of queries
        const auto& stream = m_trace.streams[behind];
        m_trace.syncs.push_back({item.start, item.end, item.row, behind, stream.process, stream.context, number, number,
            SyncRecord::stream_wait_event});
    }
}

/// Drops all but one query of a spin that became a wait of a stream.
void Retimed::drop_queries(const Item& spin)
{
    const auto& calls = m_recorded.calls;
    for (Row row = 0; row < calls.size(); ++row) {
        if (row != spin.row && calls.thread[row] == calls.thread[spin.row] && calls.start[row] >= spin.start
            && calls.end[row] <= spin.end && class_of(m_recorded.text(calls.name[row])) == CallClass::query) {
            m_dropped[row] = true;
        }
    }
    std::erase_if(m_trace.query_spins, [&](const QuerySpin& each) { return each.call == spin.row; });
}

void Retimed::calls()
{
    auto& calls = m_trace.calls;
    m_dropped.resize(calls.size());
    for (const auto& event : m_recorded.events) {
        m_next_event = std::max({m_next_event, event.event_id + 1, event.event_sync + 1});
    }
    for (auto& event : m_trace.events) {
        event.time = moved(event.time, event.call);
        event.device_time = -1;
    }
    for (Row row = 0; row < calls.size(); ++row) {
        calls.start[row] = moved(m_recorded.calls.start[row], row);
        calls.end[row] = moved(m_recorded.calls.end[row], row);
    }
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        const auto& item = m_script.items[index];
        if (item.kind != Item::call || item.piece > 0) {
            continue;
        }
        calls.start[item.row] = m_replayed.item_start[index];
        calls.end[item.row] = m_replayed.item_end[index];
        m_dropped[item.row] = item.dropped;
        if (item.wait == Item::order && !item.dropped) {
            order(item, index);
            if (item.type == CallClass::query) {
                drop_queries(item);
            }
        } else if (!item.dropped) {
            rename(item);
        }
    }
    for (Row row = 0; row < calls.size(); ++row) {
        if (m_dropped[outermost(m_recorded.calls, row)]) {
            m_dropped[row] = true;
            calls.thread[row] = m_no_thread;
        }
    }
}

/// A launch that became a node: its graph's call issued it.
void Retimed::join_graph(Row row, std::size_t index)
{
    const auto first = m_graph_of[index];
    if (first == none) {
        return;
    }
    const auto& item = m_script.items[first];
    m_trace.operations.correlation[row] = m_trace.calls.correlation[item.row];
    m_trace.operations.call[row] = item.row;
    const auto node = static_cast<std::uint32_t>(index - item.first_operation + 1);
    if (m_recorded.operations.kind[row] == OperationKind::memset) {
        m_trace.memsets[m_recorded.operations.detail[row]].graph_node = node;
        return;
    }
    auto detail = m_recorded.kernels[m_recorded.operations.detail[row]];  // a copy: others may share it
    detail.graph_node = node;
    m_trace.operations.detail[row] = static_cast<Row>(m_trace.kernels.size());
    m_trace.kernels.push_back(detail);
}

void Retimed::operations()
{
    m_graph_of.resize(m_script.operations.size(), none);
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        const auto& item = m_script.items[index];
        if (item.kind == Item::call && item.type == CallClass::graph_launch && !item.dropped) {
            std::fill_n(m_graph_of.begin() + item.first_operation, item.operations, index);
        }
    }
    auto& ops = m_trace.operations;
    for (std::size_t index = 0; index < m_script.operations.size(); ++index) {
        const auto& operation = m_script.operations[index];
        const Row row = operation.row;
        if (operation.piece > 0) {
            continue;
        }
        if (operation.pieces > 1 || operation.bytes > 0) {
            set_bytes(row, operation);
        }
        if (m_replayed.start[index] < 0) {
            ops.stream[row] = m_no_stream;
            continue;
        }
        ops.start[row] = m_replayed.start[index];
        ops.end[row] = m_replayed.end[index];
        ops.stream[row] = m_stream_rows[operation.stream];
        const Row detail = m_recorded.operations.detail[row];
        const bool is_kernel = ops.kind[row] == OperationKind::kernel;
        const bool is_new_node = is_kernel
            ? m_recorded.kernels[detail].graph_node == 0
            : ops.kind[row] == OperationKind::memset && m_recorded.memsets[detail].graph_node == 0;
        if (operation.of_graph && is_new_node) {
            join_graph(row, index);
        }
        if (operation.is_pinned_now) {
            auto& copy = m_trace.copies[ops.detail[row]];
            for (auto* const kind : {&copy.source, &copy.target}) {
                *kind = *kind == MemoryKind::pageable ? MemoryKind::pinned : *kind;
            }
        }
    }
}

/// The bytes of one piece of a copy, or of several copies that became one.
void Retimed::set_bytes(Row row, const Operation& operation)
{
    auto& ops = m_trace.operations;
    if (!is_copy(ops.kind[row])) {
        return;
    }
    auto detail = m_trace.copies[ops.detail[row]];
    detail.bytes = (operation.bytes > 0 ? operation.bytes : m_recorded.bytes_of(operation.row)) / operation.pieces;
    ops.detail[row] = static_cast<Row>(m_trace.copies.size());
    m_trace.copies.push_back(detail);
}

/// One call and operation may have become several: adds those after the first.
void Retimed::pieces()
{
    auto& calls = m_trace.calls;
    auto& ops = m_trace.operations;
    const auto again = [](auto& column, Row row) {
        const auto same = column[row];
        column.push_back(same);
    };
    std::uint32_t next = 0;
    for (const auto correlation : calls.correlation) {
        next = std::max(next, correlation);
    }
    for (std::size_t index = 0; index < m_script.items.size(); ++index) {
        const auto& item = m_script.items[index];
        if (item.piece == 0 || item.dropped) {
            continue;
        }
        again(calls.thread, item.row);
        again(calls.name, item.row);
        again(calls.outer, item.row);
        again(calls.step, item.row);
        again(calls.result, item.row);
        again(calls.api, item.row);
        calls.start.push_back(m_replayed.item_start[index]);
        calls.end.push_back(m_replayed.item_end[index]);
        calls.correlation.push_back(++next);
        for (std::uint32_t i = 0; i < item.operations; ++i) {
            const auto at = item.first_operation + i;
            const auto& operation = m_script.operations[at];
            again(ops.name, operation.row);
            again(ops.detail, operation.row);
            again(ops.kind, operation.row);
            ops.start.push_back(m_replayed.start[at]);
            ops.end.push_back(m_replayed.end[at]);
            ops.stream.push_back(m_stream_rows[operation.stream]);
            ops.correlation.push_back(next);
            ops.call.push_back(static_cast<Row>(calls.size() - 1));
        }
    }
}

/// Waits that a change gave to streams: an event is recorded after the call that issued the operation, and waited for
/// before the call in question. Neither takes time.
void Retimed::orders()
{
    std::vector<std::uint32_t> issuer(m_script.operations.size(), none);
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        const auto& item = m_script.items[index];
        std::fill_n(issuer.begin() + item.first_operation, item.operations, index);
    }
    auto& calls = m_trace.calls;
    auto correlation = *std::max_element(calls.correlation.begin(), calls.correlation.end());
    const auto call = [&](const char* name, std::uint32_t index, Ns time) {
        const auto& item = m_script.items[index];
        calls.start.push_back(time);
        calls.end.push_back(time);
        calls.correlation.push_back(++correlation);
        calls.thread.push_back(item.thread);
        calls.name.push_back(m_trace.strings.intern(name));
        calls.outer.push_back(no_row);
        calls.step.push_back(m_recorded.calls.step[item.row]);
        calls.result.push_back(0);
        calls.api.push_back(ApiCallRecord::runtime);
        return static_cast<Row>(calls.size() - 1);
    };
    std::map<std::uint32_t, std::uint32_t> recorded;  // number of the event, by operation
    std::set<std::pair<std::uint32_t, std::uint32_t>> waited;  // stream and operation
    for (const auto& order : m_replayed.orders) {
        auto before = order.item;
        while (before > m_script.first_item[m_script.items[order.item].thread] && m_script.items[before - 1].dropped) {
            --before;
        }
        const bool is_first = before == m_script.first_item[m_script.items[order.item].thread];
        const Ns time = is_first ? 0 : m_replayed.item_end[before - 1];
        if (time >= m_replayed.item_start[order.item] || !waited.emplace(order.stream, order.operation).second) {
            continue;  // no time for it, or done already
        }
        const auto [event, is_new] = recorded.try_emplace(order.operation, m_next_event);
        const Row from = m_stream_rows[m_script.operations[order.operation].stream];
        if (is_new) {
            ++m_next_event;
            const bool is_before = order.operation < m_script.before;  // the recording: it is ready at its begin
            const auto by = is_before ? order.item : issuer[order.operation];
            const Ns issued = is_before ? 0 : m_replayed.item_end[by];
            m_trace.events.push_back(
                {issued, -1, call("cudaEventRecord", by, issued), from, event->second, event->second});
        }
        const Row to = m_stream_rows[order.stream];
        const auto& stream = m_trace.streams[to];
        m_trace.syncs.push_back({time, time, call("cudaStreamWaitEvent", order.item, time), to, stream.process,
            stream.context, event->second, event->second, SyncRecord::stream_wait_event});
    }
}

void Retimed::rest()
{
    std::set<Row> dropped_reads;
    for (const auto& item : m_script.items) {
        if (item.kind == Item::read && item.dropped) {
            dropped_reads.insert(item.row);
        }
    }
    for (auto& range : m_trace.ranges) {
        range.start = moved(range.start, no_row, range.thread);
        range.end = range.open ? range.end : std::max(range.start, moved(range.end, no_row, range.thread));
    }
    for (auto& span : m_trace.host_spans) {
        span.start = moved(span.start, no_row, span.thread);
        span.end = std::max(span.start, moved(span.end, no_row, span.thread));
    }
    for (Row row = 0; row < m_trace.reads.size(); ++row) {
        auto& read = m_trace.reads[row];
        const Row thread = read.thread;
        read.start = moved(read.start, no_row, thread);
        read.end = std::max(read.start, moved(read.end, no_row, thread));
        read.thread = dropped_reads.contains(row) ? m_no_thread : thread;
    }
    for (auto& sync : m_trace.syncs) {
        sync.start = moved(sync.start, sync.call);
        sync.end = std::max(sync.start, moved(sync.end, sync.call));
        sync.process = sync.call != no_row && m_dropped[sync.call] ? gone : sync.process;
    }
    for (auto& event : m_trace.events) {
        if (event.call != no_row && m_dropped[event.call]) {
            event.stream = m_no_stream;
        }
    }
    for (auto& spin : m_trace.query_spins) {
        spin.start = moved(spin.start, spin.call);
        spin.end = std::max(spin.start, moved(spin.end, spin.call));
    }
    for (auto& step : m_trace.steps) {
        step.start = moved(step.start, no_row, step.thread);
    }
    std::erase_if(m_trace.overheads, [](const Overhead& overhead) {
        return overhead.type == OverheadRecord::command_buffer_full;  // launches wait elsewhere now
    });
    for (auto& overhead : m_trace.overheads) {
        overhead.start = moved(overhead.start, overhead.call, overhead.thread);
        overhead.end = std::max(overhead.start, moved(overhead.end, overhead.call, overhead.thread));
    }
    for (auto& memory : m_trace.memory) {
        memory.time = moved(memory.time, memory.call);
    }
}

Trace Retimed::run(const std::vector<Change>& changes)
{
    m_trace.counters.clear();  // their values would be different
    add_nowhere();
    streams();
    threads();
    calls();
    operations();
    rest();
    pieces();
    orders();
    TraceBuilder builder;
    builder.keep_times_and_devices(m_trace.origin);
    Resettled same;
    same.process = [](std::uint32_t id) { return id == gone ? no_id : id; };
    same.device = [](std::uint32_t id) { return id; };
    same.steps = true;
    if (const auto names = m_trace.meta.find(meta::step_names); names != m_trace.meta.end()) {
        builder.write_meta(meta::step_names, names->second);
    }
    give_records(m_trace, builder, same);
    auto trace = builder.finish(Source::predicted);
    const auto source = meta::text_of(trace.meta, meta::source);
    const std::string word(source.empty() ? name_of(Source::predicted) : source);
    trace.meta = m_recorded.meta;
    trace.meta[meta::source] = word;
    for (const auto* const key : {meta::repeat_totals_ns, meta::unrecorded_totals_ns, meta::recorded_at}) {
        trace.meta.erase(key);
    }
    std::string lines;
    for (const auto& change : changes) {
        lines += (lines.empty() ? "" : "\n") + words_of(change);
    }
    trace.meta[meta::changes] = lines;
    return trace;
}

}  // namespace

Trace make_trace(
    const Trace& recorded, const Script& script, const Replayed& replayed, const std::vector<Change>& changes)
{
    return Retimed(recorded, script, replayed).run(changes);
}

}  // namespace lanes::replay
