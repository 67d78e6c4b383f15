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
    move_copies(edit, [&](const Operation& copy) {
        if (!has_kernels[copy.stream] && edit.on.found() == nullptr) {
            return none;
        }
        const auto home = copy.stream;
        const bool up = copy.kind == OperationKind::h2d;
        auto own = up ? edit.script.streams[home].uploads : edit.script.streams[home].downloads;
        if (own != none && edit.script.streams[own].within != none) {
            return none;  // others of them went to a recorded stream (on_stream)
        }
        if (own == none) {
            own = edit.new_stream(home);
            has_kernels.push_back(false);
            (up ? edit.script.streams[home].uploads : edit.script.streams[home].downloads) = own;
        }
        return own;
    });
}

}  // namespace lanes::replay::changes
