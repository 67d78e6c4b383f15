// SPDX-License-Identifier: MIT
#include "engine/replay/changes/returning.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace lanes::replay::changes {

void assume_buffers(Edit& edit, const std::vector<std::uint32_t>& uploads)
{
    std::map<std::pair<std::uint32_t, std::uint64_t>, Ns> first_down;  // by stream and bytes
    std::map<std::pair<std::uint32_t, std::uint64_t>, Ns> first_up;
    const auto key = [&](const Operation& operation) {
        const auto home = edit.script.streams[operation.stream].home;
        return std::pair(home == none ? operation.stream : home, edit.trace.bytes_of(operation.row));
    };
    for (const auto& operation : edit.script.operations) {
        const bool up = operation.kind == OperationKind::h2d;
        if (!operation.dropped && (up || operation.kind == OperationKind::d2h)) {
            const auto [found, is_new] = (up ? first_up : first_down).try_emplace(key(operation), operation.was);
            found->second = std::min(found->second, operation.was);
        }
    }
    std::uint64_t count = 0;
    for (const auto index : uploads) {
        auto& operation = edit.script.operations[index];
        const auto down = first_down.find(key(operation));
        operation.behind_downloads = down != first_down.end() && down->second < first_up.at(key(operation));
        count += operation.behind_downloads ? 1 : 0;
        operation.behind_downloads = operation.behind_downloads && !edit.is_lifted("brings-back");
    }
    if (count > 0) {
        edit.add_assumption("brings_back", {{"count", std::to_string(count)}});
    }
    if (count < uploads.size()) {
        edit.assume("buffers_enough");
    }
}

}  // namespace lanes::replay::changes
