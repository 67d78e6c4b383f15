// SPDX-License-Identifier: MIT
#include "engine/replay/call_rows.h"

#include "engine/analysis/blocking/event_waits.h"

#include <algorithm>
#include <map>

namespace lanes::replay {

namespace {

/// Work that is ready begins 1 to 10 us after what its stream waits for. If a GPU does nothing for longer than this,
/// its next work was issued meanwhile, and not before the recording.
constexpr Ns most_idle_before = 50'000;

/// What the GPU still had to do when the recording began: a thread that runs ahead has issued work before, as in every
/// recording that begins in the middle of a program (PyTorch's profiler after a warm-up, Nsight Systems with a delay).
/// These are operations without a call, before all others of their streams, that kept their GPU busy without a pause;
/// by start. Streams without any known call are left out: a thread or process that is not recorded may use them.
std::vector<Row> issued_before(const Trace& trace)
{
    const auto& ops = trace.operations;
    std::vector<Row> found;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto [begin, end] = trace.operations_of(stream);
        Row row = begin;
        while (row < end && ops.call[row] == no_row) {
            ++row;
        }
        for (Row before = begin; row < end && before < row; ++before) {
            found.push_back(before);
        }
    }
    std::stable_sort(found.begin(), found.end(), [&](Row a, Row b) { return ops.start[a] < ops.start[b]; });
    std::vector<Row> without_pause;
    std::map<std::uint32_t, Ns> busy_until;  // by device
    for (const Row row : found) {
        Ns& until = busy_until.try_emplace(trace.streams[ops.stream[row]].device, ops.start[row]).first->second;
        if (ops.start[row] <= until + most_idle_before) {  // after a pause, none of the device is
            until = std::max(until, ops.end[row]);
            without_pause.push_back(row);
        }
    }
    return without_pause;
}

}  // namespace

CallRows rows_by_call(const Graph& graph)
{
    const auto& trace = graph.trace();
    const auto& ops = trace.operations;
    CallRows rows;
    for (const Row row : graph.dependencies().operations) {
        const Row call = outermost(trace.calls, ops.call[row]);
        if (call == no_row) {
            ++rows.orphans;
        } else {
            rows.operations.emplace_back(call, row);
        }
    }
    rows.before = issued_before(trace);
    rows.orphans -= rows.before.size();
    std::stable_sort(
        rows.operations.begin(), rows.operations.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::uint32_t i = 0; i < trace.syncs.size(); ++i) {
        if (const Row call = outermost(trace.calls, trace.syncs[i].call); call != no_row) {
            rows.syncs.emplace_back(call, i);
        }
    }
    std::sort(rows.syncs.begin(), rows.syncs.end());
    std::unordered_map<const lanes::Event*, std::uint32_t> numbers;
    for (const auto& event : trace.events) {
        const Row call = outermost(trace.calls, event.call);
        if (call != no_row && event.stream != no_row) {
            const auto number = rows.events++;
            numbers.emplace(&event, number);
            rows.actions.emplace_back(call, Action {Action::record, event.stream, number});
        }
    }
    for (const auto& [wait, record, call, time] : event_waits(trace)) {
        const auto found = numbers.find(record);
        if (found == numbers.end()) {
            continue;
        }
        rows.waited.emplace(static_cast<std::uint32_t>(wait - trace.syncs.data()), found->second);
        if (wait->type == SyncRecord::stream_wait_event && call != no_row && wait->stream != no_row) {
            rows.actions.emplace_back(call, Action {Action::wait, wait->stream, found->second});
        }
    }
    std::stable_sort(
        rows.actions.begin(), rows.actions.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return rows;
}

}  // namespace lanes::replay
