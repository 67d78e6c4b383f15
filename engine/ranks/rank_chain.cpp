// SPDX-License-Identifier: MIT
#include "engine/ranks/rank_chain.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/ranks/done_before.h"
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

constexpr std::size_t most_terms = 4;  // of a kind: the ones with the least slack decide

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
    // A host that is never earlier has a pace of much slack, and decides in the end: anchors do not drive it out.
    if (to.size() > most_terms) {
        std::stable_sort(to.begin(), to.end(), [](const ChainTerm& a, const ChainTerm& b) {
            return std::tie(a.kind, a.slack) < std::tie(b.kind, b.slack);
        });
        Terms kept;
        for (const auto& term : to) {
            const auto of_kind = std::count_if(
                kept.begin(), kept.end(), [&](const ChainTerm& other) { return other.kind == term.kind; });
            if (static_cast<std::size_t>(of_kind) < most_terms) {
                kept.push_back(term);
            }
        }
        to = std::move(kept);
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
        m_chain.steps.push_back({ChainStep::done, 0, after(issue_unknown).terms});
        return std::move(m_chain);
    }

private:
    /// A stream after one of its operations has ended.
    struct Done {
        Ns at = nothing;  ///< that end
        Ns issued = issue_unknown;
        Terms terms = {};  ///< how much earlier it would be
        Ns met = nothing;  ///< where that is a collective: its begin
    };

    /// When the call of an operation began.
    Ns issued(Row row) const
    {
        const Row call = outermost(m_trace.calls, m_trace.operations.call[row]);
        return call == no_row ? issue_unknown : m_trace.calls.start[call];
    }

    /// What the GPU has done of what was issued by then; before it has done anything, the begin of the recording. What
    /// the last collective followed itself is no term: it is known with the collective.
    Done after(Ns issued) const
    {
        Done done;
        const Done* last = nullptr;
        m_gpu.for_each(issued, [&](const Done& of) {
            done.at = std::max(done.at, of.at);
            last = of.met != nothing && (last == nullptr || of.met > last->met) ? &of : last;
        });
        m_gpu.for_each(issued, [&](const Done& of) {
            if (last == nullptr || of.at > last->met + most_rounding || of.issued > last->issued) {
                add_terms(done.terms, of.terms, done.at - of.at);
            }
        });
        if (done.at == nothing) {
            done.terms = {{ChainTerm::anchor, 0, 0}};
        }
        return done;
    }

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
        Ns least = issue_unknown;
        for (auto at = m_moments.rbegin(); at != m_moments.rend(); ++at) {
            if (at->what == Moment::begins) {
                m_least_issued.push_back(least = std::min(least, issued(at->row)));
            }
        }
    }

    std::uint32_t pace_at(Ns time) const
    {
        return static_cast<std::uint32_t>(std::upper_bound(m_paces.begin(), m_paces.end(), time) - m_paces.begin());
    }

    void begin(Row row)
    {
        const auto& ops = m_trace.operations;
        m_gpu.forget(m_least_issued.back());
        m_least_issued.pop_back();
        const Ns call = issued(row);
        const Done done = after(call);
        Terms terms;
        if (call == issue_unknown) {
            terms = done.terms;
        } else {
            const Ns ready = std::max(done.at, call + m_issue);
            if (done.at != nothing) {
                add_terms(terms, done.terms, ready - done.at);
            }
            add_terms(terms, {{ChainTerm::pace, pace_at(call), 0}}, ready - call - m_issue);
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
        const auto& ops = m_trace.operations;
        Done done {ops.end[row], issued(row)};
        Terms before;
        if (const Done* const last = m_gpu.last(ops.stream[row]); last != nullptr && last->at > ops.start[row]) {
            add_terms(before, last->terms, done.at - last->at);
        }
        const auto awaited = m_awaited.find(row);
        if (const auto collective = m_collective_of.find(row); collective != m_collective_of.end()) {
            m_chain.steps.push_back({ChainStep::ends, collective->second, std::move(before)});
            done.terms = {{ChainTerm::anchor, ++m_anchors, 0}};
            done.met = ops.start[row];
            if (awaited != m_awaited.end()) {
                awaited->second = {{ChainTerm::end, collective->second, 0}};
            }
        } else {
            const auto running = m_running.find(row);
            done.terms = std::move(before);
            add_terms(done.terms, running->second, 0);
            if (awaited != m_awaited.end()) {
                awaited->second = std::move(running->second);
            }
            m_running.erase(running);
        }
        m_gpu.add(ops.stream[row], done.issued, std::move(done));
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
    std::vector<Ns> m_least_issued;  ///< of the operations that have not begun, by begin, the last one first
    DoneBefore<Done> m_gpu;
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
