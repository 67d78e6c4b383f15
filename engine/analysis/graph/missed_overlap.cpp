// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/missed_overlap.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/graph/held_back.h"
#include "engine/analysis/graph/rows_in.h"

#include <algorithm>
#include <optional>
#include <queue>

namespace lanes {

namespace {

constexpr Ns tail = 20;  // an overlap of less than this part counts as one after the other

/// By operation of `rows`: how long nothing else ran on its GPU, within the range.
std::vector<Ns> times_alone(const Graph& graph, const std::vector<Row>& rows, Interval range)
{
    const auto& ops = graph.trace().operations;
    struct Running {
        Ns end;
        std::size_t place;  // in `rows`
        bool operator>(const Running& other) const { return end > other.end; }
    };
    struct Gpu {
        std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
        Ns at = 0;
    };
    std::vector<Gpu> gpus(graph.dependencies().devices);
    std::vector<Ns> alone(rows.size());
    const auto go_to = [&](Gpu& gpu, Ns time) {
        while (!gpu.running.empty() && gpu.at < time) {
            const Ns next = std::min(time, gpu.running.top().end);
            if (gpu.running.size() == 1 && next > gpu.at) {
                alone[gpu.running.top().place] += next - gpu.at;
            }
            gpu.at = std::max(gpu.at, next);
            if (gpu.running.top().end <= next) {
                gpu.running.pop();
            }
        }
        gpu.at = std::max(gpu.at, time);
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto& gpu = gpus[graph.dependencies().device_of[ops.stream[rows[i]]]];
        go_to(gpu, std::max(ops.start[rows[i]], range.start));
        gpu.running.push({std::min(ops.end[rows[i]], range.end), i});
    }
    for (auto& gpu : gpus) {
        go_to(gpu, range.end);
    }
    return alone;
}

std::optional<Neighbours> neighbours(const Graph& graph, Row first, Row second)
{
    const auto& ops = graph.trace().operations;
    const auto& dependencies = graph.dependencies();
    const auto a = ops.kind[first];
    const auto b = ops.kind[second];
    const bool one_stream = ops.stream[first] == ops.stream[second];
    if (is_copy(a) != is_copy(b)) {
        return Neighbours::kernel_copy;
    }
    if (!is_copy(a)) {
        return one_stream ? std::nullopt : std::optional(Neighbours::kernels);
    }
    const auto engine = dependencies.engine_of(a, ops.stream[first]);
    if (dependencies.copy_engines[dependencies.device_of[ops.stream[first]]] == 1 && engine == OperationKind::h2d
        && engine == dependencies.engine_of(b, ops.stream[second])) {
        return std::nullopt;
    }
    const bool both_ways
        = (a == OperationKind::h2d && b == OperationKind::d2h) || (a == OperationKind::d2h && b == OperationKind::h2d);
    return both_ways ? std::optional(Neighbours::both_directions)
        : one_stream ? std::nullopt
                     : std::optional(Neighbours::copies);
}

class MissedPass {
public:
    MissedPass(const Graph& graph, Interval range)
        : m_graph(graph)
        , m_trace(graph.trace())
        , m_ops(m_trace.operations)
        , m_range(range)
        , m_held(graph, range)
    {
    }
    MissedOverlap run();

private:
    struct Candidate {
        std::size_t first, second;  ///< places in m_rows
        MissedOverlap::Pair pair;
    };
    void collect();
    void judge(MissedOverlap::Pair& pair) const;
    void take(const Candidate& candidate);
    static bool is_set(IdleReason reason)
    {
        return reason == IdleReason::same_stream || reason == IdleReason::event || reason == IdleReason::graph;
    }

    const Graph& m_graph;
    const Trace& m_trace;
    const OperationTable& m_ops;
    Interval m_range;
    HeldBack m_held;
    std::vector<Row> m_rows;
    std::vector<Ns> m_alone;
    std::vector<Candidate> m_candidates;
    MissedOverlap m_missed;
};

void MissedPass::collect()
{
    struct Last {
        std::size_t place = 0;
        Ns end = 0;
        bool is_none = true;
    };
    std::vector<Last> last(m_graph.dependencies().devices);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row row = m_rows[i];
        auto& before = last[m_graph.dependencies().device_of[m_ops.stream[row]]];
        const Ns shorter = before.is_none
            ? 0
            : std::min(m_ops.end[row] - m_ops.start[row], before.end - m_ops.start[m_rows[before.place]]);
        if (!before.is_none && before.end <= m_ops.start[row] + std::max(clock_grain, shorter / tail) && m_alone[i] > 0
            && m_alone[before.place] > 0) {
            const Row first = m_rows[before.place];
            if (const auto what = neighbours(m_graph, first, row)) {
                Candidate candidate {before.place, i, {first, row, *what, IdleReason::unknown, {}, 0}};
                judge(candidate.pair);
                m_candidates.push_back(candidate);
            }
        }
        if (before.is_none || m_ops.end[row] >= before.end) {
            before = {i, m_ops.end[row], false};
        }
    }
}

/// Why the second one did not begin together with the first one.
void MissedPass::judge(MissedOverlap::Pair& pair) const
{
    switch (m_graph.starts().cause(pair.second)) {
    case StartCause::stream:
        pair.reason = IdleReason::same_stream;
        return;
    case StartCause::event:
        pair.reason = IdleReason::event;
        return;
    case StartCause::graph:
        pair.reason = IdleReason::graph;
        return;
    case StartCause::legacy:
        pair.reason = IdleReason::legacy;
        return;
    case StartCause::engine:
        pair.reason = IdleReason::engine;
        return;
    case StartCause::multiprocessors:
        pair.reason = IdleReason::multiprocessors;
        return;
    case StartCause::unknown:
        return;
    case StartCause::launch:
        break;
    }
    const Row call = outermost(m_trace.calls, m_ops.call[pair.second]);
    if (call == no_row || m_trace.calls.thread[call] == no_row) {
        return;
    }
    const Interval wait {std::max(m_ops.start[pair.first], m_range.start), m_trace.calls.start[call]};
    const auto most = m_held.most(m_trace.calls.thread[call], {wait.start, std::max(wait.start, wait.end)});
    pair.reason = most.reason;
    pair.because = most.because ? most.because : EventRef {EventTable::calls, call};
}

void MissedPass::take(const Candidate& candidate)
{
    const Ns time = std::min(m_alone[candidate.first], m_alone[candidate.second]);
    if (time <= 0) {
        return;
    }
    m_alone[candidate.first] -= time;
    m_alone[candidate.second] -= time;
    auto pair = candidate.pair;
    pair.time = time;
    m_missed.time[static_cast<std::size_t>(pair.what)][static_cast<std::size_t>(pair.reason)] += time;
    ++m_missed.count;
    m_missed.pairs.push_back(pair);
}

MissedOverlap MissedPass::run()
{
    m_rows = rows_in(m_graph, m_range);
    m_alone = times_alone(m_graph, m_rows, m_range);
    collect();
    for (const bool set : {false, true}) {
        for (const auto& candidate : m_candidates) {
            if (is_set(candidate.pair.reason) == set) {
                take(candidate);
            }
        }
    }
    auto& pairs = m_missed.pairs;
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    pairs.resize(std::min(pairs.size(), most_missed_pairs));
    return std::move(m_missed);
}

}  // namespace

Ns MissedOverlap::of(IdleReason reason) const
{
    Ns sum = 0;
    for (const auto& times : time) {
        sum += times[static_cast<std::size_t>(reason)];
    }
    return sum;
}

Ns MissedOverlap::of(Neighbours what) const
{
    Ns sum = 0;
    for (const Ns of_reason : time[static_cast<std::size_t>(what)]) {
        sum += of_reason;
    }
    return sum;
}

std::string_view name_of(Neighbours neighbours)
{
    constexpr std::array<std::string_view, neighbours_count> names {
        "kernel_copy", "both_directions", "copies", "kernels"};
    return names[static_cast<std::size_t>(neighbours)];
}

MissedOverlap missed_overlap(const Graph& graph, Interval range)
{
    range.end = std::max(range.start, std::min(range.end, graph.last_end()));
    return MissedPass(graph, range).run();
}

}  // namespace lanes
