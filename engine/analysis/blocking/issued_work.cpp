// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/issued_work.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/blocking/look_ahead.h"

namespace lanes {

namespace {

/// Memory that a memset fills while the host waits for it.
bool is_of_host(MemoryKind kind)
{
    return kind == MemoryKind::pinned || kind == MemoryKind::pageable || kind == MemoryKind::managed
        || kind == MemoryKind::managed_static;
}

/// Whether a copy is from or to host memory whose kind is not recorded, as in traces of ROCm.
bool is_of_some_host(const CopyDetail& copy, OperationKind kind)
{
    return (kind == OperationKind::h2d && copy.source == MemoryKind::unknown)
        || (kind == OperationKind::d2h && copy.target == MemoryKind::unknown);
}

}  // namespace

std::vector<Issued> issued_work(const Trace& trace, const std::vector<CallClass>& classes, Ns late)
{
    const auto& operations = trace.operations;
    const auto& calls = trace.calls;
    std::vector<Issued> all(calls.size());
    for (Row row = 0; row < operations.size(); ++row) {
        look_ahead_through(operations.call, row, calls.outer, calls.name, all);
        const Row call = outermost(calls, operations.call[row]);
        if (call == no_row) {
            continue;
        }
        auto& issued = all[call];
        issued.any = true;
        issued.stream = operations.stream[row];
        const auto kind = operations.kind[row];
        if (kind == OperationKind::kernel || classes[calls.name[call]] == CallClass::graph_launch) {
            continue;
        }
        if (kind == OperationKind::memset) {
            const auto& memset = trace.memsets[operations.detail[row]];
            if (memset.async || !is_of_host(memset.target)) {
                continue;
            }
        } else {
            const auto& copy = trace.copies[operations.detail[row]];
            const bool pageable = copy.source == MemoryKind::pageable || copy.target == MemoryKind::pageable;
            // An Async call of pinned memory returns at once: one that stayed for a long copy waited for it.
            const bool waited = is_of_some_host(copy, kind)
                && operations.end[row] - operations.start[row] > ordinary_call
                && held(calls.start[call] + late, calls.end[call] + late, operations.start[row], operations.end[row]);
            if (!pageable && copy.async && !waited) {
                continue;
            }
            issued.pageable = issued.pageable || pageable;
        }
        if (issued.own == no_row || operations.end[row] > operations.end[issued.own]) {
            issued.own = row;
        }
    }
    for (const auto& event : trace.events) {
        if (const Row call = outermost(calls, event.call); call != no_row && event.stream != no_row) {
            all[call].stream = event.stream;
        }
    }
    return all;
}

}  // namespace lanes
