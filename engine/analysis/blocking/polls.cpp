// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/polls.h"

#include "engine/analysis/blocking/blocked_rule.h"

#include <algorithm>
#include <optional>

namespace lanes {

namespace {

constexpr std::int32_t done = 0, not_ready = 600;  // cudaErrorNotReady and CUDA_ERROR_NOT_READY

/// What a query asks for.
struct Target {
    Row stream = no_row;
    std::uint32_t event_id = no_id, event_sync = 0;
    friend bool operator==(const Target&, const Target&) = default;
};

/// The queries that a thread made so far, one after the other.
struct Run {
    Row first, last;
    std::uint64_t count;
    std::optional<Target> target;
    StringId name;
};

class PollSearch {
public:
    PollSearch(const Trace& trace, const std::vector<CallClass>& classes, std::span<const Row> syncs)
        : m_trace(trace)
        , m_classes(classes)
        , m_syncs(syncs)
        , m_has_results(trace.source != Source::kineto && trace.source != Source::chrome)
        , m_runs(trace.threads.size())
    {
    }

    std::vector<Poll> run()
    {
        const auto& calls = m_trace.calls;
        for (Row call = 0; call < calls.size(); ++call) {
            if (calls.outer[call] != no_row || calls.thread[call] == no_row) {
                continue;
            }
            const auto of = m_classes[calls.name[call]];
            if (of == CallClass::query) {
                ask(call);
            } else if (of != CallClass::own_state) {
                stop(calls.thread[call]);
            }
        }
        for (Row thread = 0; thread < m_runs.size(); ++thread) {
            stop(thread);
        }
        std::stable_sort(
            m_polls.begin(), m_polls.end(), [](const Poll& a, const Poll& b) { return a.first < b.first; });
        return std::move(m_polls);
    }

private:
    std::optional<Target> target_of(Row call) const
    {
        if (m_syncs[call] == no_row) {
            return {};
        }
        const auto& sync = m_trace.syncs[m_syncs[call]];
        return Target {sync.stream, sync.event_id, sync.event_sync};
    }
    void ask(Row call)
    {
        const auto& calls = m_trace.calls;
        auto& run = m_runs[calls.thread[call]];
        // The recorder joins the queries of one CUPTI buffer: a long spin comes in several pieces.
        const auto* const joined = m_trace.queries_of(call);
        const std::uint64_t queries = joined != nullptr ? joined->queries : 1;
        const auto target = target_of(call);
        const bool goes_on = run && run->name == calls.name[call] && run->target == target
            && calls.start[call] - calls.end[run->last] <= most_between_queries;
        if (goes_on) {
            run->last = call;
            run->count += queries;
        } else {
            stop(calls.thread[call]);
            run = Run {call, call, queries, target, calls.name[call]};
        }
        if (joined == nullptr && !m_has_results) {
            return;
        }
        const bool answered = joined == nullptr || joined->succeeded != QuerySpinRecord::not_known;
        const bool is_done
            = joined != nullptr ? joined->succeeded == QuerySpinRecord::ready : calls.result[call] == done;
        if ((is_done || !answered) && run->count > 1) {
            add({run->first, call, m_syncs[run->first], answered && (joined != nullptr || target.has_value())});
        }
        const bool pending
            = joined != nullptr ? joined->succeeded == QuerySpinRecord::pending : calls.result[call] == not_ready;
        if (!pending) {
            run.reset();
        }
    }
    /// The thread does something else. Where answers are recorded, the last one was no success.
    void stop(Row thread)
    {
        auto& run = m_runs[thread];
        if (run && run->count > 1 && !m_has_results) {
            add({run->first, run->last, m_syncs[run->first], false});
        }
        run.reset();
    }
    void add(const Poll& poll)
    {
        if (poll.known || m_trace.calls.end[poll.last] - m_trace.calls.start[poll.first] > ordinary_call) {
            m_polls.push_back(poll);
        }
    }

    const Trace& m_trace;
    const std::vector<CallClass>& m_classes;
    std::span<const Row> m_syncs;
    bool m_has_results;  ///< traces of PyTorch do not say what a call returned
    std::vector<std::optional<Run>> m_runs;  ///< by thread
    std::vector<Poll> m_polls;
};

}  // namespace

std::vector<Poll> find_polls(const Trace& trace, const std::vector<CallClass>& classes, std::span<const Row> syncs)
{
    const bool any = std::find(classes.begin(), classes.end(), CallClass::query) != classes.end();
    return any ? PollSearch(trace, classes, syncs).run() : std::vector<Poll> {};
}

}  // namespace lanes
