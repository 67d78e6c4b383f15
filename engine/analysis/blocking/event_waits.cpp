// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/event_waits.h"

#include "engine/analysis/facts/call_class.h"

#include <algorithm>
#include <unordered_map>

namespace lanes {

namespace {

std::uint64_t key(std::uint32_t process, std::uint32_t id)
{
    return std::uint64_t {process} << 32U | id;
}

Ns submitted(const Trace& trace, Row operation)
{
    const Row call = outermost(trace.calls, trace.operations.call[operation]);
    return call == no_row ? trace.operations.start[operation] : trace.calls.start[call];
}

}  // namespace

Row first_submitted(const Trace& trace, Row stream, Ns time)
{
    RowSpan rows = trace.operations_of(stream);
    while (!rows.empty()) {  // a stream works in the order of submission
        const Row middle = rows.begin + static_cast<Row>(rows.size() / 2);
        (submitted(trace, middle) < time ? rows.begin : rows.end)
            = submitted(trace, middle) < time ? middle + 1 : middle;
    }
    return rows.begin;
}

std::vector<EventWait> event_waits(const Trace& trace)
{
    std::unordered_map<std::uint64_t, std::uint32_t> by_sync;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_id;  // in the order of time
    for (std::uint32_t i = 0; i < trace.events.size(); ++i) {
        const Event& event = trace.events[i];
        if (event.stream == no_row) {
            continue;
        }
        const std::uint32_t process = trace.streams[event.stream].process;
        if (event.event_sync != 0) {
            by_sync.try_emplace(key(process, event.event_sync), i);
        }
        by_id[key(process, event.event_id)].push_back(i);
    }
    std::vector<EventWait> waits;
    for (const Sync& sync : trace.syncs) {
        if (sync.type != SyncRecord::stream_wait_event && sync.type != SyncRecord::event) {
            continue;
        }
        const Row call = outermost(trace.calls, sync.call);
        const Ns time = call == no_row ? sync.start : trace.calls.start[call];
        if (const auto found = by_sync.find(key(sync.process, sync.event_sync));
            sync.event_sync != 0 && found != by_sync.end()) {
            waits.push_back({&sync, &trace.events[found->second], call, time});
        } else if (const auto known = by_id.find(key(sync.process, sync.event_id)); known != by_id.end()) {
            const auto behind = std::partition_point(known->second.begin(), known->second.end(),
                [&](std::uint32_t i) { return trace.events[i].time <= time; });
            if (behind != known->second.begin()) {
                waits.push_back({&sync, &trace.events[*(behind - 1)], call, time});
            }
        }
    }
    return waits;
}

}  // namespace lanes
