// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>

namespace lanes::replay::changes {

void non_blocking(Edit& edit)
{
    bool results = false;
    for (std::uint32_t index = 0; index < edit.script.items.size(); ++index) {
        auto& item = edit.script.items[index];
        const auto* const copy = edit.copy_of(item);
        if (copy == nullptr || !edit.is_meant(*copy)) {
            continue;
        }
        const auto behind = edit.next(index);
        const bool is_down = copy->kind == OperationKind::d2h;
        const bool waited = behind < edit.end_of(item) && edit.is_sync(edit.script.items[behind])
            && edit.script.items[behind].wait == Item::stream && edit.script.items[behind].target == copy->stream;
        if (waited && (!is_down || edit.waits_again(behind, copy->stream))) {
            edit.applied.old_bytes += is_down && edit.is_read_next(behind) ? 1 : 0;
            results = results || is_down;
            edit.drop(behind);
            ++edit.applied.count;
        } else if (item.type == CallClass::copy && !copy->pageable
            && (!is_down || edit.waits_again(index, copy->stream))) {
            edit.applied.old_bytes += is_down && edit.is_read_next(index) ? 1 : 0;
            results = results || is_down;
            item.wait = Item::nothing;
            item.own = std::min(item.end - item.start, edit.script.constants.copy_call);
            ++edit.applied.count;
        }
    }
    if (results && !edit.records_reads()) {
        edit.applied.reliability = Reliability::good;
    }
    if (edit.applied.count > 0) {
        edit.assume(results ? "no_read_before_sync" : "source_unchanged");
    }
}

}  // namespace lanes::replay::changes
