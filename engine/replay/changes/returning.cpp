// SPDX-License-Identifier: MIT
#include "engine/replay/changes/returning.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lanes::replay::changes {

namespace {

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

}  // namespace

void move_copies(Edit& edit, const std::function<std::uint32_t(const Operation& copy)>& target_of)
{
    const auto& table = edit.script.constants.table;
    std::vector<std::uint32_t> uploads;
    for (auto& item : edit.script.items) {
        const auto* const copy = edit.copy_of(item);
        if (copy == nullptr || edit.script.streams[copy->stream].home != none || !edit.on.operation(copy->row)) {
            continue;
        }
        const bool up = copy->kind == OperationKind::h2d;
        const auto target = target_of(*copy);
        if (target == none) {
            continue;
        }
        edit.move(item.first_operation, target);
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
