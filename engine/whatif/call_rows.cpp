// SPDX-License-Identifier: MIT
#include "engine/whatif/call_rows.h"

#include "engine/analysis/blocking/event_waits.h"
#include "engine/whatif/issued_before.h"

namespace lanes::whatif {

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

}  // namespace lanes::whatif
