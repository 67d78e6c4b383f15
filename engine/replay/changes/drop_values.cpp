// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/value_copies.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <cstdint>

namespace lanes::replay::changes {

namespace {

/// Kernels that a finding says compute nothing but the values.
void drop_found_kernels(Edit& edit)
{
    for (std::uint32_t index = 0; edit.on.found() != nullptr && index < edit.script.items.size(); ++index) {
        const auto& item = edit.script.items[index];
        const bool is_kernel = !item.dropped && item.operations == 1
            && edit.script.operations[item.first_operation].kind == OperationKind::kernel;
        if (is_kernel && edit.on.operation(edit.script.operations[item.first_operation].row)) {
            edit.drop(index);
        }
    }
}

}  // namespace

/// A small copy to the host, the wait after it and the reads of its value are one.
void drop_values(Edit& edit)
{
    std::uint64_t number = 0;
    for (std::uint32_t index = 0; index < edit.script.items.size(); ++index) {
        const auto& item = edit.script.items[index];
        const auto* const copy = edit.copy_of(item);
        if (copy == nullptr || !fetches_value(edit.trace, copy->row) || !edit.on.operation(copy->row)) {
            continue;
        }
        const auto wait = edit.next(index);
        const bool has_wait = wait < edit.end_of(item) && edit.is_sync(edit.script.items[wait]);
        if (!has_wait && item.wait != Item::own_work) {
            continue;
        }
        // The last wait for a stream's work may be what the program ends with.
        const bool is_last = !edit.issues_more(index) && !edit.waits_again(has_wait ? wait : index, copy->stream);
        if (is_last || edit.stays(number++)) {
            continue;
        }
        auto last = has_wait ? wait : index;
        while (last + 1 < edit.end_of(item) && edit.script.items[last + 1].kind == Item::read) {
            ++last;
        }
        for (auto at = index; at <= last; ++at) {  // with the looks at the thread's state between them
            if (!edit.script.items[at].dropped) {
                edit.drop(at);
            }
        }
        ++edit.applied.count;
    }
    drop_found_kernels(edit);
    edit.applied.reliability = Reliability::good;
    if (edit.applied.count > 0) {
        edit.assume("value_is_needless");
    }
}

}  // namespace lanes::replay::changes
