// SPDX-License-Identifier: MIT
// Operations that waited for another one only because one of the two was on the legacy default stream.
#include "engine/analysis/blocking/default_streams.h"
#include "engine/analysis/findings/search.h"

#include <map>
#include <set>

namespace lanes {

namespace {

constexpr Ns soon_after = 20'000;  // an operation that starts so soon after another one's end was waiting for it

/// Which streams' order may come from events.
std::vector<bool> streams_that_wait_for_events(const Trace& trace)
{
    std::vector<bool> has_waits(trace.streams.size());
    for (const auto& sync : trace.syncs) {
        if (sync.type == SyncRecord::stream_wait_event && sync.stream != no_row) {
            has_waits[sync.stream] = true;
        }
    }
    return has_waits;
}

/// The streams of a context that wait for one another: a legacy one for all blocking ones, and these for it.
struct OrderedStreams {
    std::vector<Row> legacy;
    bool has_blocking = false;
    std::set<std::pair<Ns, Row>> blocking;  ///< until when each of those that did something is busy

    /// Until when the other kind of stream was busy at last before `start`; INT64_MIN: it was not.
    Ns other_kind_until(bool is_legacy, Ns start, const std::vector<Ns>& stream_until) const
    {
        Ns until = INT64_MIN;
        if (!is_legacy) {
            for (const Row other : legacy) {
                until = stream_until[other] <= start ? std::max(until, stream_until[other]) : until;
            }
        } else if (const auto after = blocking.upper_bound({start, no_row}); after != blocking.begin()) {
            until = std::prev(after)->first;
        }
        return until;
    }
};

using OrderedByContext = std::map<std::pair<std::uint32_t, std::uint32_t>, OrderedStreams>;

/// By process and context: those contexts in which both kinds of stream did something.
OrderedByContext find_ordered_streams(const Trace& trace, const std::vector<bool>& legacy)
{
    const auto& streams = trace.streams;
    OrderedByContext contexts;
    for (Row stream = 0; stream < streams.size(); ++stream) {
        const bool is_blocking = streams[stream].flag == StreamRecord::blocking && !legacy[stream];
        if ((legacy[stream] || is_blocking) && !trace.operations_of(stream).empty()) {
            auto& ordered = contexts[{streams[stream].process, streams[stream].context}];
            ordered.has_blocking = ordered.has_blocking || is_blocking;
            if (legacy[stream]) {
                ordered.legacy.push_back(stream);
            }
        }
    }
    std::erase_if(
        contexts, [](const auto& entry) { return entry.second.legacy.empty() || !entry.second.has_blocking; });
    return contexts;
}

/// By stream: its entry in `contexts`, nullptr: it waits for no other kind of stream.
std::vector<OrderedStreams*> ordered_of_streams(
    const Trace& trace, const std::vector<bool>& legacy, OrderedByContext& contexts)
{
    const auto& streams = trace.streams;
    std::vector<OrderedStreams*> ordered_of(streams.size(), nullptr);
    for (Row stream = 0; stream < streams.size(); ++stream) {
        const auto at = contexts.find({streams[stream].process, streams[stream].context});
        if (at != contexts.end() && (legacy[stream] || streams[stream].flag == StreamRecord::blocking)) {
            ordered_of[stream] = &at->second;
        }
    }
    return ordered_of;
}

}  // namespace

Candidate find_default_stream(const Search& search, const std::vector<Row>& operations_by_time)
{
    const auto& trace = search.trace;
    const auto range = search.report.range;
    const auto& ops = trace.operations;
    Candidate found;
    found.rule = "default-stream";
    const auto legacy = legacy_streams(trace);
    auto contexts = find_ordered_streams(trace, legacy);
    if (contexts.empty()) {
        return found;
    }
    const auto ordered_of = ordered_of_streams(trace, legacy, contexts);
    const auto has_waits = streams_that_wait_for_events(trace);
    std::vector<Ns> stream_until(trace.streams.size(), INT64_MIN);
    for (const Row row : operations_by_time) {
        const Row stream = ops.stream[row];
        auto* const ordered = ordered_of[stream];
        if (ordered == nullptr) {
            continue;
        }
        const Row call = search.issuer(row);
        const Ns start = ops.start[row];
        const Ns until = ordered->other_kind_until(legacy[stream], start, stream_until);
        if (call != no_row && !has_waits[stream]) {
            // It could have begun when its call returned and its own stream was free.
            const Ns ready = std::max(trace.calls.end[call], stream_until[stream]);
            const Interval wait {std::max(ready, range.start), std::min(until, range.end)};
            if (until > ready && start - until <= soon_after && wait.start < wait.end) {
                found.taken.push_back(wait);
                found.evidence.add({EventTable::operations, row}, 0);
            }
        }
        if (!legacy[stream]) {
            ordered->blocking.erase({stream_until[stream], stream});
        }
        stream_until[stream] = std::max(stream_until[stream], ops.end[row]);
        if (!legacy[stream]) {
            ordered->blocking.emplace(stream_until[stream], stream);
        }
    }
    found.bound_by_taken();
    return found;
}

}  // namespace lanes
