// SPDX-License-Identifier: MIT
#include "engine/analysis/waiters.h"

#include <algorithm>

namespace lanes {

bool is_before(EventRef a, EventRef b)
{
    return a.table != b.table ? a.table < b.table : a.row < b.row;
}

std::vector<EventRef> waiters_of(const Recording& recording, Row operation)
{
    std::vector<EventRef> found;
    const Trace& trace = *recording.trace;
    const auto& ops = trace.operations;
    if (operation >= ops.size()) {
        return found;
    }
    const Ns end = ops.end[operation];
    const RowSpan rows = trace.operations_of(ops.stream[operation]);
    for (Row next = operation + 1; next < rows.end; ++next) {
        const Row call = ops.call[next];
        if (ops.start[next] < end) {
            continue;  // beside it: the file has two streams in one
        }
        if (call == no_row || trace.calls.start[call] >= end) {
            break;  // issued after it was done, as are all that follow
        }
        found.push_back({EventTable::operations, next});
    }
    for (const Link& link : recording.links->of(EventRef {EventTable::operations, operation})) {
        if (link.kind == Link::Kind::event && link.from.event == EventRef {EventTable::operations, operation}) {
            found.push_back(link.to.event);
        }
    }
    // A thread that is held until this or one of those is done waits for it as long as it runs.
    std::sort(found.begin(), found.end(), is_before);
    const std::vector<EventRef> behind = found;
    for (const BlockedCall& held : recording.blocking->calls) {
        const Row last = held.released_by;
        const auto released_by = EventRef {EventTable::operations, last};
        const auto device = [&](Row row) { return trace.streams[ops.stream[row]].device; };
        const bool by_allocation
            = held.cause == BlockCause::memory && (last == no_row || device(last) == device(operation));
        if (held.start < end && held.end > ops.start[operation]
            && (by_allocation || last == operation
                || (last != no_row && std::binary_search(behind.begin(), behind.end(), released_by, is_before)))) {
            found.push_back({EventTable::calls, held.call});
        }
    }
    std::sort(found.begin(), found.end(), is_before);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace lanes
