// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>

namespace lanes::replay::changes {

void leave_legacy(Edit& edit)
{
    if (!edit.script.legacy_order) {
        return;
    }
    for (const auto& context : edit.script.contexts) {
        const auto has_work = [&](std::uint32_t stream) {
            const auto row = edit.script.streams[stream].row;
            return row != no_row && !edit.trace.operations_of(row).empty();
        };
        if (std::any_of(context.blocking.begin(), context.blocking.end(), has_work)) {
            for (const auto stream : context.legacy) {
                edit.applied.count
                    += has_work(stream) ? edit.trace.operations_of(edit.script.streams[stream].row).size() : 0;
            }
        }
    }
    if (edit.applied.count > 0) {
        edit.script.legacy_order = false;
        edit.assume("no_hidden_order");
    }
}

}  // namespace lanes::replay::changes
