// SPDX-License-Identifier: MIT
#include "engine/analysis/findings/replay_order.h"

#include "engine/analysis/call_class.h"
#include "engine/analysis/default_streams.h"
#include "engine/analysis/event_waits.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lanes {

namespace {

constexpr std::size_t most_holds = 4'000'000;
constexpr std::uint64_t threads_of_multiprocessor = 2048;  // Volta to Blackwell data centre GPUs; others hold fewer
constexpr Ns usual_issue = 5'000, idle_before = 20'000;
constexpr std::size_t issue_samples = 4096;

/// The streams of each context, by process and context.
auto streams_of_contexts(const Trace& trace)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Row>> streams;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        streams[{trace.streams[stream].process, trace.streams[stream].context}].push_back(stream);
    }
    return streams;
}

/// Which kernels take half of a GPU's threads or more: two of them do not run side by side.
std::vector<bool> find_filling(const Trace& trace)
{
    std::map<std::uint32_t, std::uint64_t> enough;  // threads, by device
    for (const auto& device : trace.devices) {
        enough[device.id] = device.multiprocessors * threads_of_multiprocessor / 2;
    }
    std::vector<bool> fills(trace.operations.size());
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const std::uint64_t threads = enough[trace.streams[stream].device];
        const auto rows = trace.operations_of(stream);
        for (Row row = rows.begin; threads > 0 && row < rows.end; ++row) {
            if (trace.operations.kind[row] == OperationKind::kernel) {
                const auto& kernel = trace.kernels[trace.operations.detail[row]];
                std::uint64_t size = 1;
                for (std::size_t i = 0; i < 3; ++i) {
                    size *= std::uint64_t {kernel.grid[i]} * kernel.block[i];
                }
                fills[row] = size >= threads;
            }
        }
    }
    return fills;
}

/// The lower quartile over the first operations that a stream had nothing to do before.
Ns find_issue(const Trace& trace)
{
    std::vector<Ns> times;
    const auto& ops = trace.operations;
    for (Row row = 0; row < ops.size() && times.size() < issue_samples; ++row) {
        const Row call = outermost(trace.calls, ops.call[row]);
        if (call != no_row && ops.start[row] > trace.calls.start[call]
            && (row == 0 || ops.stream[row - 1] != ops.stream[row]
                || ops.end[row - 1] + idle_before < ops.start[row])) {
            times.push_back(ops.start[row] - trace.calls.start[call]);
        }
    }
    if (times.empty()) {
        return usual_issue;
    }
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4), times.end());
    return std::min(times[times.size() / 4], 4 * usual_issue);
}

}  // namespace

ReplayOrder::ReplayOrder(const Trace& trace, const Blocking& blocking)
    : operations(trace.operations_by_time())
    , fills_gpu(find_filling(trace))
    , legacy(legacy_streams(trace))
    , issue(find_issue(trace))
{
    const auto last_before = [&](Row stream, Ns time) {
        const Row next = first_submitted(trace, stream, time);
        return next > trace.operations_of(stream).begin ? next - 1 : no_row;
    };
    const auto hold = [&](Row call, Row operation) {
        if (call != no_row && operation != no_row) {
            holds.push_back({call, operation});
        }
    };
    for (const auto& [wait, record, call, time] : event_waits(trace)) {
        const Row before = last_before(record->stream, record->time);
        if (wait->type != SyncRecord::stream_wait_event) {
            hold(call, before);
        } else if (before != no_row && wait->stream != no_row && wait->stream != record->stream) {
            if (const Row next = first_submitted(trace, wait->stream, time);
                next < trace.operations_of(wait->stream).end) {
                behind.push_back({next, before});
            }
        }
    }
    const auto streams = streams_of_contexts(trace);
    for (const Sync& sync : trace.syncs) {
        const Row call = outermost(trace.calls, sync.call);
        if (call == no_row || (sync.type != SyncRecord::stream_sync && sync.type != SyncRecord::context_sync)) {
            continue;
        }
        if (sync.stream != no_row) {
            hold(call, last_before(sync.stream, trace.calls.start[call]));
        } else if (const auto found = streams.find({sync.process, sync.context});
                   found != streams.end() && holds.size() + found->second.size() < most_holds) {
            for (const Row stream : found->second) {
                hold(call, last_before(stream, trace.calls.start[call]));
            }
        }
    }
    for (const auto& stretch : blocking.calls) {
        hold(stretch.call, stretch.released_by);
    }
    std::sort(holds.begin(), holds.end(),
        [](const Hold& a, const Hold& b) { return std::tie(a.call, a.operation) < std::tie(b.call, b.operation); });
    holds.erase(std::unique(holds.begin(), holds.end(),
                    [](const Hold& a, const Hold& b) { return a.call == b.call && a.operation == b.operation; }),
        holds.end());
    std::sort(behind.begin(), behind.end(), [](const Behind& a, const Behind& b) {
        return std::tie(a.operation, a.before) < std::tie(b.operation, b.before);
    });

    std::map<std::uint32_t, std::uint32_t> places;
    for (const auto& stream : trace.streams) {
        device_of.push_back(places.try_emplace(stream.device, places.size()).first->second);
    }
    devices = places.size();
    context_of.resize(trace.streams.size(), no_context);
    for (const auto& [key, rows] : streams) {
        const bool has_legacy = std::any_of(rows.begin(), rows.end(), [&](Row row) { return legacy[row]; });
        for (const Row row : rows) {
            if (has_legacy && (legacy[row] || trace.streams[row].flag == StreamRecord::blocking)) {
                context_of[row] = static_cast<std::uint32_t>(contexts);
            }
        }
        contexts += has_legacy ? 1 : 0;
    }
}

}  // namespace lanes
