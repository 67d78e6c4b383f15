// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"
#include "engine/replay/changes/returning.h"

#include <vector>

namespace lanes::replay::changes {

void own_stream(Edit& edit)
{
    std::vector<bool> has_kernels(edit.script.streams.size());
    for (const auto& operation : edit.script.operations) {
        has_kernels[operation.stream] = has_kernels[operation.stream] || operation.kind == OperationKind::kernel;
    }
    const auto& table = edit.script.constants.table;
    std::vector<std::uint32_t> uploads;
    for (auto& item : edit.script.items) {
        const auto* const copy = edit.copy_of(item);
        if (copy == nullptr || (!has_kernels[copy->stream] && edit.on.found() == nullptr)
            || edit.script.streams[copy->stream].home != none || !edit.on.operation(copy->row)) {
            continue;
        }
        const auto home = copy->stream;
        const bool up = copy->kind == OperationKind::h2d;
        auto own = up ? edit.script.streams[home].uploads : edit.script.streams[home].downloads;
        if (own != none && edit.script.streams[own].within != none) {
            continue;  // others of them went to a recorded stream (on_stream)
        }
        if (own == none) {
            own = edit.new_stream(home);
            has_kernels.push_back(false);
            (up ? edit.script.streams[home].uploads : edit.script.streams[home].downloads) = own;
        }
        edit.move(item.first_operation, own);
        item.own += table.event_record_call + table.stream_wait_call;
        if (up) {
            uploads.push_back(item.first_operation);
        }
        ++edit.applied.count;
    }
    if (edit.applied.count > 0) {
        edit.assume("kernels_need_uploads");
        assume_buffers(edit, uploads);
    }
}

}  // namespace lanes::replay::changes
