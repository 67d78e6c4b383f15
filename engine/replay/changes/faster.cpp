// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <cmath>

namespace lanes::replay::changes {

void faster(Edit& edit)
{
    if (edit.change.amount <= 0) {
        return;
    }
    for (auto& operation : edit.operations()) {
        if (operation.kind == OperationKind::kernel && operation.gang == none && !operation.dropped
            && edit.on.operation(operation.row)) {
            operation.length
                = static_cast<Ns>(std::llround(static_cast<double>(operation.length) / edit.change.amount));
            ++edit.applied.count;
        }
    }
    // For all kernels it means another GPU; what else that one does better is unknown.
    edit.applied.reliability = edit.change.on.empty() ? Reliability::bound : Reliability::good;
    if (edit.applied.count > 0) {
        edit.assume("same_share");
    }
}

}  // namespace lanes::replay::changes
