// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>

namespace lanes::replay::changes {

void event_waits(Edit& edit)
{
    const auto& table = edit.script.constants.table;
    for (std::uint32_t index = 0; index < edit.script.items.size(); ++index) {
        auto& item = edit.script.items[index];
        if ((!edit.is_sync(item) && !edit.is_spin(item)) || !edit.on.call(item.row) || !edit.issues_more(index)) {
            continue;
        }
        edit.applied.old_bytes += edit.is_read_next(index) ? 1 : 0;
        edit.applied.reliability = edit.guards_result(index) ? std::max(edit.applied.reliability, Reliability::good)
                                                             : edit.applied.reliability;
        item.ordered = item.wait;
        item.wait = Item::order;
        item.own = table.event_record_call + table.stream_wait_call;
        item.held = false;
        ++edit.applied.count;
    }
    if (edit.applied.count > 0) {
        edit.assume("gpu_order_is_enough");
    }
}

}  // namespace lanes::replay::changes
