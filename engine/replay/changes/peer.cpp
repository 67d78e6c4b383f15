// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>

namespace lanes::replay::changes {

/// Of a download and the upload of the same bytes to another GPU only the upload is left, in the time of a copy between
/// the GPUs. What waited for the download waits for what came before it. A thread that waited for it waits no longer:
/// what it issues next waits on the GPU.
void peer(Edit& edit)
{
    const auto* const found = edit.on.found();
    for (auto& item : edit.script.items) {
        if (item.dropped || item.kind != Item::call || found == nullptr) {
            continue;
        }
        const auto* const copy = edit.copy_of(item);
        if (copy == nullptr || !edit.on.operation(copy->row)) {
            if (edit.is_sync(item) && edit.on.call(item.row)) {
                item.ordered = item.wait;
                item.wait = Item::order;
                item.held = false;
                item.own = std::min(item.own, short_call);
            }
            continue;
        }
        auto& operation = edit.script.operations[item.first_operation];
        if (operation.kind == OperationKind::d2h) {
            item.wait = Item::order;
            item.ordered = Item::stream;
            item.target = operation.stream;
            operation.dropped = true;
        } else {
            operation.length = found->time_of(operation.row).value_or(operation.length);
            operation.pageable = false;
            item.wait = Item::nothing;
        }
        item.held = false;
        item.own = std::min(item.own, short_call);
        ++edit.applied.count;
    }
    edit.applied.reliability = Reliability::good;
    if (edit.applied.count > 0) {
        edit.assume("peer_access");
    }
}

}  // namespace lanes::replay::changes
