// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/launch_loop.h"

#include "engine/analysis/facts/families.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/loops.h"
#include "engine/trace/median.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <span>
#include <unordered_map>

namespace lanes {

namespace {

constexpr std::size_t tenth_of = 10;  // shares in the comment of the header
constexpr std::size_t most_streams = 8;  // that are looked at
constexpr std::size_t few = 4;  // parts of an iteration that look alike: a network on real data and on generated data

/// The launches of a stream, or of a process.
class Launches {
public:
    /// `rows` are operations in the order in which they began, or were issued.
    Launches(const Trace& trace, std::vector<Row> rows)
        : m_trace(trace)
        , m_rows(std::move(rows))
    {
        const auto& ops = trace.operations;
        Row graph = no_row;  // the call that launches it
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const Row row = m_rows[i];
            const bool in_graph = is_of_graph(row) && ops.call[row] != no_row;
            if (in_graph && ops.call[row] == graph) {
                ++m_weights.back();
                continue;
            }
            graph = in_graph ? ops.call[row] : no_row;
            m_first.push_back(i);
            m_weights.push_back(1);
            // Equal work of two GPUs differs.
            const Symbol device = trace.streams[ops.stream[row]].device;
            m_symbols.push_back(ops.name[row] | (in_graph ? Symbol {1} << 32U : 0) | device << 33U);
        }
        if (!m_rows.empty()) {
            find_waits(trace.streams[ops.stream[m_rows.front()]].process);
        }
    }

    const std::vector<Row>& rows() const { return m_rows; }
    const std::vector<Symbol>& symbols() const { return m_symbols; }
    const std::vector<std::uint32_t>& weights() const { return m_weights; }
    /// Operations of an iteration.
    std::span<const Row> rows_of(const Loop& loop, std::size_t iteration) const
    {
        const auto begin = begin_of(loop.starts[iteration]);
        return std::span(m_rows).subspan(begin, begin_of(loop.end_of(iteration)) - begin);
    }
    Row thread_of(Row operation) const
    {
        const Row call = outermost(m_trace.calls, m_trace.operations.call[operation]);
        return call == no_row ? no_row : m_trace.calls.thread[call];
    }
    /// Waits for the GPU that began in the iteration, up to the first launch of the next one; of any thread.
    std::size_t waits(const Loop& loop, std::size_t iteration, bool of_device) const
    {
        const auto& waits = of_device ? m_device_waits : m_waits;
        const auto begin = begin_of(loop.starts[iteration]);
        const auto next
            = begin_of(iteration + 1 < loop.starts.size() ? loop.starts[iteration + 1] : loop.end_of(iteration));
        const auto from = std::lower_bound(waits.begin(), waits.end(), issue_time(m_trace, m_rows[begin]));
        const auto to = next == m_rows.size()
            ? waits.end()
            : std::lower_bound(waits.begin(), waits.end(), issue_time(m_trace, m_rows[next]));
        return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, to - from));
    }

private:
    std::size_t begin_of(std::size_t launch) const { return launch < m_first.size() ? m_first[launch] : m_rows.size(); }
    bool is_of_graph(Row row) const
    {
        const auto& ops = m_trace.operations;
        const Row detail = ops.detail[row];
        if (detail == no_row) {
            return false;
        }
        return (ops.kind[row] == OperationKind::kernel          ? m_trace.kernels[detail].graph_node
                       : ops.kind[row] == OperationKind::memset ? m_trace.memsets[detail].graph_node
                                                                : m_trace.copies[detail].graph_node)
            != 0;
    }
    void find_waits(std::uint32_t process)
    {
        for (const auto& sync : m_trace.syncs) {
            if (sync.process != process || sync.type == SyncRecord::stream_wait_event) {
                continue;
            }
            const Ns start = sync.call == no_row ? sync.start : m_trace.calls.start[sync.call];
            m_waits.push_back(start);
            if (sync.type == SyncRecord::context_sync) {
                m_device_waits.push_back(start);
            }
        }
        std::sort(m_waits.begin(), m_waits.end());
        std::sort(m_device_waits.begin(), m_device_waits.end());
    }

    const Trace& m_trace;
    std::vector<Row> m_rows;
    std::vector<std::size_t> m_first;  // the first operation of each launch, an index of m_rows
    std::vector<Symbol> m_symbols;
    std::vector<std::uint32_t> m_weights;  // operations
    std::vector<Ns> m_waits, m_device_waits;
};

/// What iterations of a loop do: in how many something was seen, and how many results one reads (the median).
struct Seen {
    std::size_t iterations = 0, uploads = 0, threads = 0, updates = 0, reading = 0, reads = 0;

    /// In nine of ten.
    bool in_most(std::size_t Seen::*what) const { return this->*what * tenth_of >= (tenth_of - 1) * iterations; }
    bool in_few(std::size_t Seen::*what) const { return this->*what * 2 < iterations; }
    /// An iteration of a program, whatever is around it.
    bool is_surely_whole() const { return in_most(&Seen::uploads) || in_most(&Seen::threads); }
    bool is_whole() const { return is_surely_whole() || in_most(&Seen::reading); }
};

Seen look_at(const Trace& trace, const Launches& launches, const Loop& loop)
{
    const auto& ops = trace.operations;
    Seen seen;
    seen.iterations = loop.starts.size();
    std::map<Row, std::size_t> by_thread;
    std::unordered_map<StringId, bool> updates;
    std::vector<std::size_t> reads;
    for (std::size_t i = 0; i < loop.starts.size(); ++i) {
        const auto rows = launches.rows_of(loop, i);
        bool upload = false, update = false;
        std::size_t read = launches.waits(loop, i, false);
        by_thread.clear();
        for (const Row row : rows) {
            if (ops.kind[row] == OperationKind::kernel) {
                const auto [at, fresh] = updates.try_emplace(ops.name[row], false);
                at->second = fresh ? family_of(trace, row) == Family::optimizer : at->second;
                update = update || at->second;
            }
            upload = upload || ops.kind[row] == OperationKind::h2d;
            read += ops.kind[row] == OperationKind::d2h ? 1 : 0;
            ++by_thread[launches.thread_of(row)];
        }
        const auto many = std::count_if(by_thread.begin(), by_thread.end(),
            [&](const auto& of) { return of.first != no_row && of.second * tenth_of >= rows.size(); });
        seen.uploads += upload ? 1 : 0;
        seen.updates += update ? 1 : 0;
        seen.threads += many > 1 ? 1 : 0;
        seen.reading += read > 0 ? 1 : 0;
        reads.push_back(read);
    }
    seen.reads = nth_part(reads, 1, 2);
    return seen;
}

/// How many iterations of the inner one start in one of the loop around it: the median.
std::size_t starts_in(const Loop& around, const Loop& inner)
{
    std::vector<std::size_t> counts;
    for (std::size_t i = 0; i < around.starts.size(); ++i) {
        const auto from = std::lower_bound(inner.starts.begin(), inner.starts.end(), around.starts[i]);
        counts.push_back(static_cast<std::size_t>(std::lower_bound(from, inner.starts.end(), around.end_of(i)) - from));
    }
    return nth_part(counts, 1, 2);
}

struct Choice {
    const Loop* loop = nullptr;
    Seen seen;
};

/// Whether iterations of the loop around, not of the inner one, are the program's: the rules of the header, in order.
bool is_around(const Choice& inner, const Loop& around, const Seen& seen)
{
    const auto inside = starts_in(around, *inner.loop);
    const auto is_added = [&](std::size_t Seen::*what) { return seen.in_most(what) && inner.seen.in_few(what); };
    if (is_added(&Seen::updates) || is_added(&Seen::threads) || (inside <= few && is_added(&Seen::uploads))) {
        return true;
    }
    if (inner.seen.is_surely_whole() || seen.is_surely_whole()) {
        return !inner.seen.is_surely_whole();
    }
    const auto length = inside * inner.loop->period;
    const auto added = around.period > length ? around.period - length : length - around.period;
    if (added * tenth_of <= inner.loop->period) {
        return seen.reads <= inside * inner.seen.reads;
    }
    return !inner.seen.is_whole() || around.starts.size() >= tenth_of;
}

/// The program's own of loops within one another, the innermost first.
Choice choose(const Trace& trace, const Launches& launches, const std::vector<Loop>& loops)
{
    Choice choice;
    for (const Loop& around : loops) {
        const auto seen = look_at(trace, launches, around);
        if (choice.loop == nullptr || is_around(choice, around, seen)) {
            choice = {&around, seen};
        }
    }
    return choice;
}

/// Those that issue a tenth or more.
std::vector<Row> threads_of(const Trace& trace, const Launches& launches, const Loop& loop)
{
    std::map<Row, std::size_t> issued;
    std::size_t all = 0;
    for (std::size_t i = 0; i < loop.starts.size(); ++i) {
        for (const Row row : launches.rows_of(loop, i)) {
            if (const Row thread = launches.thread_of(row); thread != no_row) {
                ++issued[thread];
                ++all;
            }
        }
    }
    std::vector<Row> threads;
    // Rows of calls are by start.
    for (Row call = 0; call < trace.calls.size() && !issued.empty(); ++call) {
        if (const auto at = issued.find(trace.calls.thread[call]); at != issued.end()) {
            if (at->second * tenth_of >= all) {
                threads.push_back(at->first);
            }
            issued.erase(at);
        }
    }
    return threads;
}

std::size_t iterations_before_wait(const Launches& launches, const Loop& loop)
{
    const auto& symbols = launches.symbols();
    const auto end_of = [&](std::size_t i) {
        return std::min(i + 1 < loop.starts.size() ? loop.starts[i + 1] : loop.end_of(i), symbols.size());
    };
    struct Most {
        std::size_t count = 0, iteration = 0, next = 0;  // `next`: the most in another iteration
    };
    std::map<Symbol, Most> most;
    std::map<Symbol, std::size_t> counts;
    for (std::size_t i = 0; i < loop.starts.size(); ++i) {
        counts.clear();
        for (auto at = loop.starts[i]; at < end_of(i); ++at) {
            ++counts[symbols[at]];
        }
        for (const auto& [symbol, count] : counts) {
            auto& of = most[symbol];
            of = count > of.count ? Most {count, i, of.count} : Most {of.count, of.iteration, std::max(of.next, count)};
        }
    }
    std::size_t before = 0;
    for (std::size_t i = 0; (i + 1) * tenth_of <= loop.starts.size(); ++i) {
        const bool is_single = std::any_of(most.begin(), most.end(),
            [&](const auto& of) { return of.second.iteration == i && of.second.count > of.second.next; });
        if (is_single && launches.waits(loop, i, true) > 0) {
            before = i + 1;
        }
    }
    return before;
}

}  // namespace

Ns issue_time(const Trace& trace, Row operation)
{
    const Row call = trace.operations.call[operation];
    return call == no_row ? trace.operations.start[operation] : trace.calls.start[call];
}

namespace {

struct FoundLoop {
    LaunchLoop loop;
    bool updates = false, of_main_thread = false;
    std::vector<StringId> names;  // of the iteration in the middle, sorted
    std::vector<std::vector<Row>> streams;  // of each iteration, sorted
    Row first_stream = no_row;  // of the first row that was looked at

    std::size_t inside() const
    {
        return std::accumulate(loop.operations.begin(), loop.operations.end(), std::size_t {0},
            [](std::size_t sum, const auto& of) { return sum + of.size(); });
    }
};

std::optional<FoundLoop> loop_of(const Trace& trace, std::vector<Row> rows)
{
    const Launches launches(trace, std::move(rows));
    const auto loops = find_loops(launches.symbols(), launches.weights());
    const auto [loop, seen] = choose(trace, launches, loops);
    if (loop == nullptr) {
        return std::nullopt;
    }
    FoundLoop all;
    LaunchLoop& found = all.loop;
    const auto& ops = trace.operations;
    for (std::size_t i = 0; i < loop->starts.size(); ++i) {
        const auto of = launches.rows_of(*loop, i);
        found.operations.emplace_back(of.begin(), of.end());
        Interval span {INT64_MAX, 0};
        auto& streams = all.streams.emplace_back();
        for (const Row row : of) {
            // Where a recording begins, the first ones may lack their calls: others were issued before these began.
            span.start = std::min({span.start, issue_time(trace, row), ops.start[row]});
            span.end = std::max(span.end, ops.end[row]);
            if (streams.empty() || streams.back() != ops.stream[row]) {
                streams.push_back(ops.stream[row]);
            }
            if (i == loop->starts.size() / 2) {
                all.names.push_back(ops.name[row]);
            }
        }
        std::sort(streams.begin(), streams.end());
        streams.erase(std::unique(streams.begin(), streams.end()), streams.end());
        found.iterations.push_back(span);
    }
    if (all.inside() < least_operations) {
        return std::nullopt;
    }
    std::sort(all.names.begin(), all.names.end());
    all.first_stream = ops.stream[launches.rows().front()];
    all.updates = seen.in_most(&Seen::updates);
    const auto threads = threads_of(trace, launches, *loop);
    found.of_all = launches.rows().size();
    found.complete = seen.is_whole();
    found.thread = threads.empty() ? no_row : threads.front();
    found.before_wait = iterations_before_wait(launches, *loop);
    all.of_main_thread
        = found.thread != no_row && trace.threads[found.thread].id == trace.threads[found.thread].process;
    return all;
}

std::vector<Row> rows_in(RowSpan span)
{
    std::vector<Row> rows(span.size());
    std::iota(rows.begin(), rows.end(), span.begin);
    return rows;
}

std::optional<FoundLoop> loop_of_streams(const Trace& trace)
{
    std::vector<RowSpan> streams;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        streams.push_back(trace.operations_of(stream));
    }
    std::stable_sort(
        streams.begin(), streams.end(), [](const RowSpan& a, const RowSpan& b) { return a.size() > b.size(); });
    std::optional<FoundLoop> best;
    for (std::size_t i = 0; i < std::min(streams.size(), most_streams); ++i) {
        if (streams[i].size() < least_operations || streams[i].size() * tenth_of < streams.front().size()) {
            break;
        }
        auto next = loop_of(trace, rows_in(streams[i]));
        const auto rank = [](const FoundLoop& of) { return std::pair(of.updates, of.of_main_thread); };
        if (next && (!best || rank(*next) > rank(*best))) {
            best = std::move(next);
        }
    }
    return best;
}

/// Operations of the process that has most, one stream after the other; empty if one stream has nine of ten.
std::vector<Row> rows_of_process(const Trace& trace)
{
    std::map<std::uint32_t, std::size_t> by_process;
    std::size_t of_stream = 0;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto count = trace.operations_of(stream).size();
        by_process[trace.streams[stream].process] += count;
        of_stream = std::max(of_stream, count);
    }
    const auto most = std::max_element(
        by_process.begin(), by_process.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == by_process.end() || of_stream * tenth_of >= most->second * (tenth_of - 1)) {
        return {};
    }
    std::vector<Row> rows;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        if (trace.streams[stream].process == most->first) {
            const auto of = rows_in(trace.operations_of(stream));
            rows.insert(rows.end(), of.begin(), of.end());
        }
    }
    return rows;
}

/// Whether the process's iterations are the stream's, dealt to several streams. Of single operations nothing tells.
bool deals(const FoundLoop& of_process, const FoundLoop& of_stream)
{
    const auto all = of_process.streams.size();
    const auto elsewhere = static_cast<std::size_t>(
        std::count_if(of_process.streams.begin(), of_process.streams.end(), [&](const auto& streams) {
            return !std::binary_search(streams.begin(), streams.end(), of_stream.first_stream);
        }));
    std::vector<StringId> common;
    std::set_intersection(of_process.names.begin(), of_process.names.end(), of_stream.names.begin(),
        of_stream.names.end(), std::back_inserter(common));
    return of_stream.names.size() > 1 && 3 * all >= 4 * of_stream.streams.size() && 4 * elsewhere >= all
        && 4 * common.size() >= 3 * of_stream.names.size();
}

/// Of iterations that are dealt, the first one is none if it alone is on its streams: each was tried before the loop.
void leave_out_trial(FoundLoop& of)
{
    const auto on_first = std::count(of.streams.begin(), of.streams.end(), of.streams.front());
    const auto on_last = std::count(of.streams.begin(), of.streams.end(), of.streams.back());
    if (on_first == 1 && on_last > 1 && of.streams.size() > 3) {
        of.streams.erase(of.streams.begin());
        of.loop.iterations.erase(of.loop.iterations.begin());
        of.loop.operations.erase(of.loop.operations.begin());
        of.loop.before_wait -= std::min<std::size_t>(1, of.loop.before_wait);
    }
}

/// Iterations that run beside one another, in the order in which the first operation of each began.
void put_in_order(const Trace& trace, FoundLoop& of)
{
    std::vector<std::size_t> order(of.streams.size());
    std::iota(order.begin(), order.end(), std::size_t {0});
    std::vector<Ns> first_starts;
    first_starts.reserve(order.size());
    for (const auto& rows : of.loop.operations) {
        first_starts.push_back(record_time_limit);
        for (const Row row : rows) {
            first_starts.back() = std::min(first_starts.back(), trace.operations.start[row]);
        }
    }
    std::stable_sort(
        order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return first_starts[a] < first_starts[b]; });
    const FoundLoop before = of;
    for (std::size_t i = 0; i < order.size(); ++i) {
        of.loop.iterations[i] = before.loop.iterations[order[i]];
        of.loop.operations[i] = before.loop.operations[order[i]];
        of.streams[i] = before.streams[order[i]];
    }
}

/// Of rows in the order of their streams: the loop, if each iteration is on one stream.
std::optional<FoundLoop> loop_of_threads(const Trace& trace, std::vector<Row> rows)
{
    auto found = loop_of(trace, std::move(rows));
    if (!found
        || std::any_of(found->streams.begin(), found->streams.end(), [](const auto& on) { return on.size() > 1; })) {
        return std::nullopt;
    }
    found->loop.before_wait = 0;
    return found;
}

}  // namespace

std::optional<LaunchLoop> find_launch_loop(const Trace& trace)
{
    auto best = loop_of_streams(trace);
    if (const auto rows = rows_of_process(trace); !rows.empty()) {
        auto issued = rows;
        std::stable_sort(
            issued.begin(), issued.end(), [&](Row a, Row b) { return issue_time(trace, a) < issue_time(trace, b); });
        auto of_process = loop_of(trace, std::move(issued));
        auto of_threads = best ? std::nullopt : loop_of_threads(trace, rows);
        if (of_threads && (!of_process || of_threads->inside() > of_process->inside())) {
            of_process = std::move(of_threads);
        }
        const auto count = [](const FoundLoop& of) { return of.loop.iterations.size(); };
        const bool dealt = best && of_process && deals(*of_process, *best);
        if (of_process && (!best || dealt || (!best->loop.complete && count(*of_process) < count(*best)))) {
            best = std::move(of_process);
            put_in_order(trace, *best);
        }
        if (dealt) {
            leave_out_trial(*best);
        }
    }
    return best ? std::optional(std::move(best->loop)) : std::nullopt;
}

}  // namespace lanes
