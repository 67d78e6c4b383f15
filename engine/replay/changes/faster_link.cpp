// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <cmath>

namespace lanes::replay::changes {

/// Copies of pageable memory are left as they are: they wait for the host.
void faster_link(Edit& edit)
{
    if (edit.change.amount <= 0) {
        return;
    }
    for (auto& operation : edit.operations()) {
        const bool is_copy = operation.kind == OperationKind::h2d || operation.kind == OperationKind::d2h;
        if (is_copy && !operation.pageable && !operation.dropped && edit.on.operation(operation.row)) {
            operation.length
                = static_cast<Ns>(std::llround(static_cast<double>(operation.length) / edit.change.amount));
            ++edit.applied.count;
        }
    }
    edit.applied.reliability = Reliability::bound;
    if (edit.applied.count > 0) {
        edit.assume("link_alone");
    }
}

}  // namespace lanes::replay::changes
