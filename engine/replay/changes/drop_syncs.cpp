// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

namespace lanes::replay::changes {

void drop_syncs(Edit& edit)
{
    std::uint64_t number = 0;
    for (std::uint32_t index = 0; index < edit.script.items.size(); ++index) {
        const auto& item = edit.script.items[index];
        if (!edit.is_sync(item) || !edit.on.call(item.row) || !edit.issues_more(index) || edit.stays(number++)) {
            continue;
        }
        edit.applied.old_bytes += edit.is_read_next(index) ? 1 : 0;
        edit.drop(index);
        ++edit.applied.count;
    }
    edit.applied.reliability = Reliability::good;
    if (edit.applied.count > 0) {
        edit.assume("sync_is_needless");
    }
}

}  // namespace lanes::replay::changes
