// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace lanes::replay::changes {

namespace {

/// Uploads may bring back what was downloaded: if a stream copied some number of bytes to the host before it first
/// copied as many to the GPU, uploads of that size wait for the downloads before them.
void find_returning(Edit& edit, std::vector<std::uint32_t>& uploads)
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
        find_returning(edit, uploads);
    }
}

}  // namespace lanes::replay::changes
