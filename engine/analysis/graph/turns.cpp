// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/turns.h"

#include "engine/analysis/figures/operators.h"
#include "engine/trace/event.h"

#include <algorithm>
#include <map>

namespace lanes {

namespace {

constexpr Ns least_turn = 100'000;  // shorter ones are pauses
constexpr Ns slack_of_turn = 1'000'000;  // at both ends together, or a tenth of the turn if that is more

bool goes_backward(std::string_view name)
{
    return name.starts_with("autograd::engine") || name.starts_with("torch::autograd")
        || name.find("Backward") != std::string_view::npos;
}

/// Begin and end of operators and calls of one thread.
struct Edge {
    Ns time;
    int calls;  ///< entered (1) or left (-1)
};

class TurnSearch {
public:
    explicit TurnSearch(const Trace& trace)
        : m_trace(trace)
        , m_is_backward(trace.threads.size())
        , m_operators(outermost_operators(trace))
    {
    }
    std::vector<Turn> run();

private:
    void sort_threads();
    std::vector<std::vector<Edge>> edges() const;
    std::vector<Interval> work_of(Row thread) const;
    void look_at(Row waiting, const std::vector<Edge>& edges, const std::map<Row, std::vector<Interval>>& backward,
        std::vector<Turn>& turns) const;

    const Trace& m_trace;
    std::vector<bool> m_is_backward;  ///< by thread
    std::vector<std::vector<Row>> m_operators;
};

/// A thread whose outermost operators are mostly of the backward pass, optimisers and data aside.
void TurnSearch::sort_threads()
{
    for (Row thread = 0; thread < m_operators.size(); ++thread) {
        std::size_t backward = 0;
        for (const Row row : m_operators[thread]) {
            backward += goes_backward(m_trace.text(m_trace.ranges[row].name)) ? 1 : 0;
        }
        m_is_backward[thread] = 2 * backward > m_operators[thread].size();
    }
}

/// Those of threads that may wait for a backward pass.
std::vector<std::vector<Edge>> TurnSearch::edges() const
{
    std::vector<bool> may_wait(m_trace.threads.size());
    for (Row thread = 0; thread < may_wait.size(); ++thread) {
        for (Row other = 0; other < may_wait.size() && !m_operators[thread].empty() && !m_is_backward[thread];
             ++other) {
            may_wait[thread] = may_wait[thread]
                || (m_is_backward[other] && m_trace.threads[other].process == m_trace.threads[thread].process);
        }
    }
    std::vector<std::vector<Edge>> edges(may_wait.size());
    for (Row row = 0; row < m_trace.ranges.size(); ++row) {
        const auto& range = m_trace.ranges[row];
        if (range.thread != no_row && may_wait[range.thread] && is_operator(m_trace, row)) {
            edges[range.thread].push_back({range.start, 0});
            edges[range.thread].push_back({range.end, 0});
        }
    }
    const auto& calls = m_trace.calls;
    for (Row call = 0; call < calls.size(); ++call) {
        const Row thread = calls.thread[call];
        if (thread != no_row && may_wait[thread] && calls.outer[call] == no_row) {
            edges[thread].push_back({calls.start[call], 1});
            edges[thread].push_back({calls.end[call], -1});
        }
    }
    for (auto& of : edges) {
        std::stable_sort(of.begin(), of.end(), [](const Edge& x, const Edge& y) { return x.time < y.time; });
    }
    return edges;
}

std::vector<Interval> TurnSearch::work_of(Row thread) const
{
    std::vector<Interval> work;
    for (const Row row : m_operators[thread]) {
        work.push_back({m_trace.ranges[row].start, m_trace.ranges[row].end});
    }
    return work;
}

void TurnSearch::look_at(Row waiting, const std::vector<Edge>& edges,
    const std::map<Row, std::vector<Interval>>& backward, std::vector<Turn>& turns) const
{
    int calls = 0;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        calls += edges[i].calls;
        const Interval gap {edges[i].time, edges[i + 1].time};
        const Ns length = gap.end - gap.start;
        if (calls > 0 || length < least_turn) {
            continue;
        }
        Turn last {waiting, gap.end, no_row, gap.start};
        for (const auto& [thread, work] : backward) {
            if (m_trace.threads[thread].process != m_trace.threads[waiting].process) {
                continue;
            }
            const auto& spans = work;  // clang before 16 cannot capture a part of a pair
            const auto starts_before = [&](Ns time) {
                return std::partition_point(
                    spans.begin(), spans.end(), [&](const Interval& span) { return span.start < time; });
            };
            const auto first = starts_before(gap.start);
            const auto behind = starts_before(gap.end);
            if (first == behind || (first != work.begin() && std::prev(first)->end > gap.start)) {
                continue;
            }
            const Interval turn {first->start, std::prev(behind)->end};
            const Ns around = length - (turn.end - turn.start);
            if (turn.end > gap.end || turn.end <= turn.start || around > std::max(slack_of_turn, length / 10)) {
                continue;
            }
            turns.push_back({thread, turn.start, waiting, gap.start});
            if (last.from == no_row || turn.end > last.ended) {
                last.from = thread;
                last.ended = turn.end;
            }
        }
        if (last.from != no_row) {
            turns.push_back(last);
        }
    }
}

std::vector<Turn> TurnSearch::run()
{
    sort_threads();
    std::map<Row, std::vector<Interval>> backward;
    for (Row thread = 0; thread < m_is_backward.size(); ++thread) {
        if (m_is_backward[thread]) {
            backward.emplace(thread, work_of(thread));
        }
    }
    std::vector<Turn> turns;
    if (backward.empty()) {
        return turns;
    }
    const auto all = edges();
    for (Row thread = 0; thread < all.size(); ++thread) {
        look_at(thread, all[thread], backward, turns);
    }
    std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
        return a.thread != b.thread ? a.thread < b.thread : a.at != b.at ? a.at < b.at : a.ended > b.ended;
    });
    // Where two threads could have called backward(), the one that paused last did.
    turns.erase(std::unique(turns.begin(), turns.end(),
                    [](const Turn& a, const Turn& b) { return a.thread == b.thread && a.at == b.at; }),
        turns.end());
    return turns;
}

}  // namespace

std::vector<Turn> find_turns(const Trace& trace)
{
    return TurnSearch(trace).run();
}

const Turn* last_turn(const std::vector<Turn>& turns, Row thread, Ns time)
{
    const auto behind = std::partition_point(turns.begin(), turns.end(),
        [&](const Turn& turn) { return turn.thread != thread ? turn.thread < thread : turn.at <= time; });
    return behind != turns.begin() && std::prev(behind)->thread == thread ? &*std::prev(behind) : nullptr;
}

}  // namespace lanes
