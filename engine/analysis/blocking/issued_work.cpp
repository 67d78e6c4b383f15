// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/issued_work.h"

#include "engine/analysis/blocking/look_ahead.h"

namespace lanes {

namespace {

/// Memory that a memset fills while the host waits for it.
bool is_of_host(MemoryKind kind)
{
    return kind == MemoryKind::pinned || kind == MemoryKind::pageable || kind == MemoryKind::managed
        || kind == MemoryKind::managed_static;
}

}  // namespace

std::vector<Issued> issued_work(const Trace& trace, const std::vector<CallClass>& classes)
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
            if (!pageable && copy.async) {
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
