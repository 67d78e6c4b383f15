// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/slack.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/graph/rows_in.h"
#include "engine/trace/event.h"
#include "engine/trace/large_vector.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>

namespace lanes {

namespace {

constexpr Ns unlimited = std::numeric_limits<Ns>::max() / 4;
constexpr Ns own_step = 2'000;  // the least that a step takes which was not the last one
constexpr Ns own_issue = 5'000;

/// Goes through all in the order of time, backwards.
class SlackPass {
public:
    SlackPass(const Graph& graph, Interval range)
        : m_graph(graph)
        , m_trace(graph.trace())
        , m_ops(m_trace.operations)
        , m_dependencies(graph.dependencies())
        , m_range(range)
        , m_slack(m_ops.size(), 0)
        , m_spans(m_trace.host_spans.size(), unlimited)
        , m_next(m_trace.threads.size(), unlimited)
        , m_streams(m_trace.streams.size(), unlimited)
        , m_contexts(m_dependencies.contexts, {unlimited, unlimited})
        , m_engines(m_dependencies.devices)
        , m_holds(m_trace.calls.size())
    {
        for (const auto& hold : m_dependencies.holds) {
            m_holds[hold.call] = true;
        }
        for (auto& engine : m_engines) {
            engine.fill(unlimited);
        }
        for (const auto& [operation, partner] : m_dependencies.partners) {
            m_groups[partner].push_back(operation);
        }
    }
    std::vector<Ns> run();

private:
    struct Item {
        EventRef event;
        Ns slack = 0;  ///< of its end
    };

    Interval span_of(const Item& item) const { return lanes::span_of(m_trace, item.event); }
    void collect();
    void begin(const Item& item);
    void finish(Item& item);
    void operation(Row row);
    Ns limit(Row row);
    Ns to_the_end(Ns time) const { return std::max<Ns>(0, m_range.end - time); }
    bool is_of_range(Row call) const { return call >= m_first_call && call - m_first_call < m_calls.size(); }
    Ns& engine_of(Row row)
    {
        const Row stream = m_ops.stream[row];
        const auto engine = m_dependencies.engine_of(m_ops.kind[row], stream);
        return m_engines[m_dependencies.device_of[stream]][static_cast<std::size_t>(engine)];
    }
    void lower(Ns& limit, Ns to) { limit = std::min(limit, std::max<Ns>(0, to)); }

    const Graph& m_graph;
    const Trace& m_trace;
    const OperationTable& m_ops;
    const Dependencies& m_dependencies;
    Interval m_range;
    std::vector<Ns> m_slack;  ///< by operation: first what its successors leave, then its own; 0 outside the range
    /// What those that wait for them leave; calls of the range, from m_first_call on.
    std::vector<Ns> m_calls, m_spans;
    Row m_first_call = 0;
    std::vector<Ns> m_next;  ///< by thread: the slack of its next item
    std::vector<Ns> m_streams;  ///< by stream: how late its next operation may begin
    std::vector<std::array<Ns, 2>> m_contexts;  ///< the same for the blocking streams and for the legacy stream
    std::vector<std::array<Ns, 8>> m_engines;  ///< by device and Dependencies::engine_of()
    std::vector<bool> m_holds;  ///< by call: whether it waits for operations
    std::map<Row, std::vector<Row>> m_groups;  ///< of a collective's last kernel: the others
    std::vector<Item> m_items;  ///< by start
};

void SlackPass::collect()
{
    std::size_t count = m_trace.threads.size();  // at most one of each thread begins before the range
    for (Row thread = 0; thread < m_trace.threads.size(); ++thread) {
        count += m_graph.items_before(thread, m_range.end) - m_graph.items_before(thread, m_range.start);
    }
    reserve_large(m_items, count);
    for (Row thread = 0; thread < m_trace.threads.size(); ++thread) {
        auto place = m_graph.items_before(thread, m_range.start);
        const auto behind = m_graph.items_before(thread, m_range.end);
        place -= place > 0 && lanes::span_of(m_trace, m_graph.item(thread, place - 1)).end > m_range.start ? 1 : 0;
        for (; place < behind; ++place) {
            m_items.push_back({m_graph.item(thread, place)});
        }
    }
    Row last_call = 0;
    m_first_call = no_row;
    for (const auto& item : m_items) {
        if (item.event.table == EventTable::calls) {
            m_first_call = std::min(m_first_call, item.event.row);
            last_call = std::max(last_call, item.event.row);
        }
    }
    if (m_first_call != no_row) {
        m_calls.assign(std::size_t {last_call} - m_first_call + 1, unlimited);
    }
    const auto by_start = [&](const Item& a, const Item& b) { return span_of(a).start < span_of(b).start; };
    if (!std::is_sorted(m_items.begin(), m_items.end(), by_start)) {
        std::stable_sort(m_items.begin(), m_items.end(), by_start);
    }
}

std::vector<Ns> SlackPass::run()
{
    collect();
    // Items by end: those of one thread are in that order already.
    std::vector<std::uint32_t> by_end;
    if (!std::is_sorted(m_items.begin(), m_items.end(),
            [&](const Item& a, const Item& b) { return span_of(a).end < span_of(b).end; })) {
        by_end.resize(m_items.size());
        std::iota(by_end.begin(), by_end.end(), 0U);
        std::stable_sort(by_end.begin(), by_end.end(),
            [&](std::uint32_t a, std::uint32_t b) { return span_of(m_items[a]).end < span_of(m_items[b]).end; });
    }
    const auto ending = [&](std::size_t place) -> Item& { return m_items[by_end.empty() ? place : by_end[place]]; };
    const auto& all = m_dependencies.operations;
    const auto begins_before = [&](Ns time) {
        return std::partition_point(all.begin(), all.end(), [&](Row row) { return m_ops.start[row] < time; });
    };
    std::vector<Row> reaching = rows_reaching(m_graph, m_range.start);
    std::sort(reaching.begin(), reaching.end(), [&](Row a, Row b) { return m_ops.start[a] < m_ops.start[b]; });
    const auto first = begins_before(m_range.start);
    const auto operation_at = [&](std::size_t place) {
        return place < reaching.size() ? reaching[place] : first[static_cast<std::ptrdiff_t>(place - reaching.size())];
    };
    const std::size_t count = reaching.size() + static_cast<std::size_t>(begins_before(m_range.end) - first);
    for (std::size_t place = 0; place < count; ++place) {
        m_slack[operation_at(place)] = unlimited;
    }
    std::vector<Turn> turns;  // those given in the range, by time
    for (const Turn& turn : m_dependencies.turns) {
        if (turn.at > m_range.start && turn.at < m_range.end) {
            turns.push_back(turn);
        }
    }
    std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) { return a.at < b.at; });
    auto turn = turns.rbegin();
    // How many of each still have to be visited.
    auto ops = count;
    auto starts = m_items.size();
    auto ends = m_items.size();
    constexpr Ns none = std::numeric_limits<Ns>::min();
    const auto next_operation = [&] { return ops == 0 ? none : m_ops.start[operation_at(ops - 1)]; };
    const auto next_start = [&] { return starts == 0 ? Interval {none, none} : span_of(m_items[starts - 1]); };
    const auto next_end = [&] { return ends == 0 ? none : span_of(ending(ends - 1)).end; };
    Ns op_time = next_operation();
    Interval next = next_start();
    Ns end_time = next_end();
    while (ops > 0 || starts > 0 || ends > 0) {
        const Ns start_time = next.start;
        for (; turn != turns.rend() && turn->at > std::max({op_time, start_time, end_time}); ++turn) {
            // The thread that gave the turn may be as late as the one that got it; what it does next comes after.
            lower(m_next[turn->from], m_next[turn->thread]);
        }
        // Going backwards, an item of no length must end before it begins.
        const bool same = start_time == end_time && starts > 0 && next.start == next.end;
        if (op_time >= start_time && op_time >= end_time) {
            operation(operation_at(--ops));
            op_time = next_operation();
        } else if (start_time >= end_time && !same) {
            begin(m_items[--starts]);
            next = next_start();
        } else {
            finish(ending(--ends));
            end_time = next_end();
        }
    }
    return std::move(m_slack);
}

void SlackPass::finish(Item& item)
{
    const EventTable table = item.event.table;
    const Row row = item.event.row;
    const Ns end = span_of(item).end;
    item.slack = std::min(to_the_end(end), m_next[lane_of(m_trace, item.event)]);
    if (table == EventTable::host_spans) {
        item.slack = std::min(item.slack, m_spans[row]);
        if (const Row from = m_graph.handover_of(row); from != no_row) {
            lower(m_spans[from], item.slack);
        }
    } else if (table == EventTable::calls) {
        const auto& holds = m_dependencies.holds;
        auto at = !m_holds[row]
            ? holds.end()
            : std::partition_point(holds.begin(), holds.end(), [&](const auto& hold) { return hold.call < row; });
        for (; at != holds.end() && at->call == row; ++at) {
            lower(m_slack[at->operation], item.slack + std::max<Ns>(0, end - m_ops.end[at->operation] - own_step));
        }
        for (const Row stretch : m_graph.blocking().of(row)) {
            if (const Row by = m_graph.released_by(stretch); by != no_row) {
                lower(m_slack[by], item.slack);
            }
        }
    }
}

/// How late an item may begin: a late start shortens its wait and delays nothing.
void SlackPass::begin(const Item& item)
{
    const auto [table, row] = item.event;
    Ns slack = item.slack;
    const auto [start, end] = span_of(item);
    Ns released = start;
    if (table == EventTable::calls) {
        for (const Row stretch : m_graph.blocking().of(row)) {
            if (const Row by = m_graph.released_by(stretch); by != no_row) {
                released = std::max(released, std::min(m_graph.blocking().calls[stretch].end, m_ops.end[by]));
            }
        }
    } else if (table == EventTable::host_spans) {
        if (const Row from = m_graph.handover_of(row); from != no_row && end - start > waits_in_queue) {
            released = std::max(released, std::min(end, m_trace.host_spans[from].end));
        }
    }
    slack = std::min(slack + released - start, to_the_end(start));
    if (table == EventTable::calls) {
        slack = std::min(slack, m_calls[row - m_first_call]);
    }
    m_next[lane_of(m_trace, item.event)] = slack;
}

/// The slack that those that had to wait for it leave.
Ns SlackPass::limit(Row row)
{
    const Row stream = m_ops.stream[row];
    const Ns end = m_ops.end[row];
    Ns slack = std::min(m_slack[row], to_the_end(end));
    const auto behind = [&](Ns latest) {
        slack = latest >= unlimited ? slack : std::min(slack, std::max<Ns>(0, latest - end - own_step));
    };
    behind(m_streams[stream]);
    if (const auto context = m_dependencies.context_of[stream]; context != Dependencies::no_context) {
        behind(m_contexts[context][m_dependencies.legacy[stream] ? 0 : 1]);
    }
    if (m_ops.kind[row] != OperationKind::kernel) {
        behind(engine_of(row));
    }
    return slack;
}

void SlackPass::operation(Row row)
{
    const Row stream = m_ops.stream[row];
    const Ns start = m_ops.start[row];
    Ns slack = limit(row);
    const Row partner = m_dependencies.partner_of(row);
    if (const auto group = m_groups.find(row); group != m_groups.end()) {
        for (const Row other : group->second) {  // all end with the last one
            slack = std::min(slack, limit(other));
        }
    }
    if (partner != no_row && m_ops.start[partner] < m_range.end) {  // it may begin as late as the last one does
        slack = std::min(slack, m_slack[partner]);
    }
    m_slack[row] = slack;
    const Ns late = partner == no_row ? slack : slack + std::max<Ns>(0, m_ops.start[partner] - start);

    const Row after = m_graph.starts().after(row);
    if (after != no_row) {
        lower(m_slack[after], late);
    }
    const auto& behind = m_dependencies.behind;
    auto at
        = std::partition_point(behind.begin(), behind.end(), [&](const auto& edge) { return edge.operation < row; });
    for (; at != behind.end() && at->operation == row; ++at) {
        if (at->before != after) {
            lower(m_slack[at->before], late + std::max<Ns>(0, start - m_ops.end[at->before] - own_step));
        }
    }
    if (const Row call = outermost(m_trace.calls, m_ops.call[row]); call != no_row && is_of_range(call)) {
        const Ns lay = m_graph.starts().cause(row) == StartCause::launch
            ? 0
            : std::max<Ns>(0, start - m_trace.calls.start[call] - own_issue);
        lower(m_calls[call - m_first_call], late + lay);
    }
    m_streams[stream] = start + late;
    if (const auto context = m_dependencies.context_of[stream]; context != Dependencies::no_context) {
        auto& latest = m_contexts[context][m_dependencies.legacy[stream] ? 1 : 0];
        latest = std::min(latest, start + late);
    }
    if (m_ops.kind[row] != OperationKind::kernel) {
        engine_of(row) = start + late;
    }
}

}  // namespace

std::vector<Ns> find_slack(const Graph& graph, Interval range)
{
    return SlackPass(graph, range).run();
}

}  // namespace lanes
