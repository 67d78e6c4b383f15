// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/follow_parts.h"

namespace lanes::replay::changes {

void overlap_all_reduce(Edit& edit)
{
    follow_parts(edit);
    edit.applied.reliability = Reliability::good;
    if (edit.applied.count > 0) {
        edit.assume("gradients_in_order");
    }
}

}  // namespace lanes::replay::changes
