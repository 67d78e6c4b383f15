// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/gpu_clock.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/blocking/event_waits.h"
#include "engine/analysis/facts/call_class.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

namespace lanes {

namespace {

constexpr std::ptrdiff_t least_calls = 3;
constexpr std::size_t most_awaited_streams = 64;  // of a context that a call waits for

class EarlyReturns {
public:
    explicit EarlyReturns(const Trace& trace)
        : m_trace(trace)
        , m_classes(call_classes(trace))
    {
        for (Row row = 0; row < trace.streams.size(); ++row) {
            const auto& stream = trace.streams[row];
            m_streams[{stream.process, stream.context}].push_back(row);
            m_contexts[stream.process].insert(stream.context);
        }
        for (Row row = 0; row < trace.syncs.size(); ++row) {
            if (const Row call = outermost(trace.calls, trace.syncs[row].call); call != no_row) {
                m_sync.try_emplace(call, row);
            }
        }
    }

    std::vector<Ns> find()
    {
        const auto& calls = m_trace.calls;
        for (Row call = 0; call < calls.size(); ++call) {
            const auto of = m_classes[calls.name[call]];
            if ((of == CallClass::stream_sync || of == CallClass::device_sync) && calls.outer[call] == no_row
                && calls.thread[call] != no_row && calls.result[call] == 0) {
                std::optional<Ns> done;
                for (const Row stream : awaited(call, of)) {
                    const auto end = end_of_work(stream, calls.start[call]);
                    done = end ? std::max(end, done) : done;
                }
                note(call, done);
            }
        }
        const auto& ops = m_trace.operations;
        for (Row row = 0; row < ops.size(); ++row) {
            const Row call = ops.kind[row] == OperationKind::d2h ? outermost(calls, ops.call[row]) : no_row;
            if (call != no_row && m_classes[calls.name[call]] == CallClass::copy && calls.result[call] == 0) {
                note(call, ops.end[row]);
            }
        }
        return std::move(m_early);
    }

private:
    /// The streams that a call waits for; none if that is not known.
    std::span<const Row> awaited(Row call, CallClass of) const
    {
        const auto record = m_sync.find(call);
        const Sync* const sync = record == m_sync.end() ? nullptr : &m_trace.syncs[record->second];
        if (sync != nullptr && sync->stream != no_row) {
            return {&sync->stream, 1};
        }
        const auto process = m_trace.threads[m_trace.calls.thread[call]].process;
        const auto contexts = m_contexts.find(process);
        if (contexts == m_contexts.end() || (sync == nullptr && contexts->second.size() > 1)) {
            return {};
        }
        const auto found = m_streams.find({process, sync == nullptr ? *contexts->second.begin() : sync->context});
        if (found == m_streams.end()
            || found->second.size() > (of == CallClass::stream_sync ? 1 : most_awaited_streams)) {
            return {};
        }
        return found->second;
    }

    /// The end of what had been issued to a stream by calls that had returned.
    std::optional<Ns> end_of_work(Row stream, Ns time) const
    {
        const Row next = first_submitted(m_trace, stream, time);
        if (next == m_trace.operations_of(stream).begin) {
            return std::nullopt;
        }
        const Row call = outermost(m_trace.calls, m_trace.operations.call[next - 1]);
        return call != no_row && m_trace.calls.end[call] <= time ? std::optional(m_trace.operations.end[next - 1])
                                                                 : std::nullopt;
    }

    void note(Row call, std::optional<Ns> done)
    {
        const Ns end = m_trace.calls.end[call];
        if (done && *done - end > tolerance(end - m_trace.calls.start[call])) {
            m_early.push_back(*done - end);
        }
    }

    const Trace& m_trace;
    std::vector<CallClass> m_classes;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Row>> m_streams;  ///< by process and context
    std::map<std::uint32_t, std::set<std::uint32_t>> m_contexts;  ///< by process
    std::unordered_map<Row, Row> m_sync;  ///< its first record, by outermost call
    std::vector<Ns> m_early;
};

Ns least_issue_of(const Trace& trace)
{
    Ns least = INT64_MAX;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        if (const Row call = outermost(trace.calls, trace.operations.call[row]); call != no_row) {
            least = std::min(least, trace.operations.start[row] - trace.calls.start[call]);
        }
    }
    return least;
}

}  // namespace

Ns gpu_clock_late(std::vector<Ns> early, Ns least_issue)
{
    std::sort(early.begin(), early.end());
    const auto possible = std::upper_bound(early.begin(), early.end(), least_issue);
    if (possible == early.begin()) {
        return 0;
    }
    const Ns late = *(possible - 1);
    const auto alike = possible - std::lower_bound(early.begin(), possible, late - ordinary_call);
    return late > 0 && alike >= least_calls && 2 * alike >= static_cast<std::ptrdiff_t>(early.size()) ? late : 0;
}

Ns gpu_clock_late(const Trace& trace)
{
    auto early = EarlyReturns(trace).find();
    return early.size() < least_calls ? 0 : gpu_clock_late(std::move(early), least_issue_of(trace));
}

}  // namespace lanes
