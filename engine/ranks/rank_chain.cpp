// SPDX-License-Identifier: MIT
#include "engine/ranks/rank_chain.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/ranks/moments.h"
#include "engine/ranks/without_ranks.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace lanes {

namespace {

using Terms = std::vector<ChainTerm>;

constexpr std::size_t most_terms = 8;  // the ones with the least slack decide

/// Adds what is as much earlier as `terms` and `slack`.
void add_terms(Terms& to, const Terms& terms, Ns slack)
{
    for (const auto& term : terms) {
        const auto known = std::find_if(to.begin(), to.end(),
            [&](const ChainTerm& other) { return other.kind == term.kind && other.number == term.number; });
        if (known == to.end()) {
            to.push_back({term.kind, term.number, term.slack + slack});
        } else {
            known->slack = std::min(known->slack, term.slack + slack);
        }
    }
    if (to.size() > most_terms) {
        std::stable_sort(
            to.begin(), to.end(), [](const ChainTerm& a, const ChainTerm& b) { return a.slack < b.slack; });
        to.resize(most_terms);
    }
}

class ChainMaker {
public:
    ChainMaker(const Trace& trace, std::uint32_t device, const std::vector<Row>& collectives,
        const std::vector<HeldThread>& waits)
        : m_trace(trace)
        , m_device(device)
        , m_waits(waits)
    {
        for (std::size_t i = 0; i < collectives.size(); ++i) {
            m_collective_of.emplace(collectives[i], static_cast<std::uint32_t>(i));
            const Row call = outermost(trace.calls, trace.operations.call[collectives[i]]);
            if (call != no_row && !m_levelled) {
                m_levelled = trace.calls.start[call];
            }
        }
        for (const auto& wait : waits) {
            if (wait.operation != no_row) {
                m_awaited.emplace(wait.operation, Terms());
            }
        }
        note_moments();
        if (m_levelled) {
            m_paces.push_back(*m_levelled);
        }
    }

    RankChain make()
    {
        m_gpu = {{ChainTerm::anchor, 0, 0}};
        for (const auto& moment : m_moments) {
            switch (moment.what) {
            case Moment::begins:
                begin(moment.row);
                break;
            case Moment::ends:
                if (m_trace.operations.end[moment.row] > m_trace.operations.start[moment.row]) {
                    end(moment.row);
                }
                break;
            case Moment::goes_on:
                go_on(m_waits[moment.row]);
                break;
            }
        }
        m_chain.steps.push_back({ChainStep::done, 0, m_gpu});
        return std::move(m_chain);
    }

private:
    void note_moments()
    {
        const auto& ops = m_trace.operations;
        for (Row row = 0; row < ops.size(); ++row) {
            if (m_trace.streams[ops.stream[row]].device == m_device) {
                add_moments(m_trace, row, m_moments, m_issue);
            }
        }
        for (Row i = 0; i < m_waits.size(); ++i) {
            if (m_levelled && m_waits[i].end > *m_levelled && m_waits[i].operation != no_row) {
                // The record of what it waited for may end some microseconds after the wait.
                const bool is_here = m_trace.streams[ops.stream[m_waits[i].operation]].device == m_device;
                m_moments.push_back({is_here ? std::max(m_waits[i].end, ops.end[m_waits[i].operation]) : m_waits[i].end,
                    i, Moment::goes_on});
            }
        }
        sort_moments(m_moments);
    }

    std::uint32_t pace_at(Ns time) const
    {
        return static_cast<std::uint32_t>(std::upper_bound(m_paces.begin(), m_paces.end(), time) - m_paces.begin());
    }

    void begin(Row row)
    {
        const auto& ops = m_trace.operations;
        Terms terms;
        Ns ready = m_done;
        const Row call = outermost(m_trace.calls, ops.call[row]);
        if (call == no_row) {
            terms = m_gpu;
        } else {
            const Ns issued = m_trace.calls.start[call] + m_issue;
            ready = std::max(m_done, issued);
            if (m_done != nothing) {
                add_terms(terms, m_gpu, ready - m_done);
            }
            add_terms(terms, {{ChainTerm::pace, pace_at(m_trace.calls.start[call]), 0}}, ready - issued);
        }
        if (const auto collective = m_collective_of.find(row); collective != m_collective_of.end()) {
            m_chain.steps.push_back({ChainStep::begins, collective->second, std::move(terms)});
        } else {
            m_running.emplace(row, std::move(terms));
        }
        if (ops.end[row] == ops.start[row]) {
            end(row);
        }
    }

    void end(Row row)
    {
        const Ns at = m_trace.operations.end[row];
        Terms before;
        if (m_done != nothing) {
            add_terms(before, m_gpu, at - m_done);
        }
        m_done = at;
        if (const auto collective = m_collective_of.find(row); collective != m_collective_of.end()) {
            m_chain.steps.push_back({ChainStep::ends, collective->second, std::move(before)});
            m_gpu = {{ChainTerm::anchor, ++m_anchors, 0}};
            if (const auto awaited = m_awaited.find(row); awaited != m_awaited.end()) {
                awaited->second = {{ChainTerm::end, collective->second, 0}};
            }
            return;
        }
        const auto running = m_running.find(row);
        m_gpu = std::move(before);
        add_terms(m_gpu, running->second, 0);
        if (const auto awaited = m_awaited.find(row); awaited != m_awaited.end()) {
            awaited->second = std::move(running->second);
        }
        m_running.erase(running);
    }

    void go_on(const HeldThread& wait)
    {
        if (wait.end <= m_paces.back()) {
            return;
        }
        Terms terms = m_awaited.at(wait.operation);
        if (terms.empty()) {
            return;  // of another GPU: the wait takes as long as recorded
        }
        add_terms(terms, {{ChainTerm::pace, pace_at(wait.start), 0}}, wait.end - wait.start);
        m_chain.steps.push_back({ChainStep::goes_on, 0, std::move(terms)});
        m_paces.push_back(wait.end);
    }

    static constexpr Ns nothing = std::numeric_limits<Ns>::min();

    const Trace& m_trace;
    std::uint32_t m_device;
    const std::vector<HeldThread>& m_waits;
    std::map<Row, std::uint32_t> m_collective_of;
    std::map<Row, Terms> m_awaited;  ///< operations that a thread waits for; empty: not known yet
    std::map<Row, Terms> m_running;
    std::optional<Ns> m_levelled;  ///< the call of the first collective
    std::vector<Ns> m_paces;  ///< from when on; pace n is the one that began n-th, from 1
    std::vector<Moment> m_moments;
    Ns m_issue = most_issue;
    Ns m_done = nothing;  ///< the latest end of what has ended
    Terms m_gpu;
    std::uint32_t m_anchors = 0;
    RankChain m_chain;
};

}  // namespace

RankChain chain_of(
    const Trace& trace, std::uint32_t device, const std::vector<Row>& collectives, const std::vector<HeldThread>& waits)
{
    return ChainMaker(trace, device, collectives, waits).make();
}

}  // namespace lanes
