// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"
#include "engine/replay/rewritten.h"

#include <algorithm>
#include <cstdint>

namespace lanes::replay::changes {

namespace {

constexpr std::uint64_t worth_pieces = 1 << 20;  // bytes of a copy

/// The end of an upload with the kernels right after it on its stream and the download after them, if there is one.
/// `index` itself: nothing that could be cut begins there.
std::uint32_t end_of_pipeline(Edit& edit, std::uint32_t index)
{
    const auto end = edit.end_of(edit.script.items[index]);
    const auto* const upload = edit.copy_of(edit.script.items[index]);
    if (upload == nullptr || upload->kind != OperationKind::h2d || upload->pageable
        || edit.script.items[index].wait != Item::nothing || edit.trace.bytes_of(upload->row) < worth_pieces
        || !edit.on.operation(upload->row)) {
        return index;
    }
    auto at = index + 1;
    for (; at < end; ++at) {
        const auto& item = edit.script.items[at];
        const bool launches
            = item.kind == Item::call && item.operations == 1 && !item.dropped && item.wait == Item::nothing;
        const auto* const kernel = launches ? &edit.script.operations[item.first_operation] : nullptr;
        if (kernel == nullptr || kernel->kind != OperationKind::kernel || kernel->of_graph || kernel->gang != none
            || kernel->dropped || kernel->stream != upload->stream) {
            break;
        }
    }
    if (at == index + 1) {
        return index;
    }
    const auto* const download = at < end ? edit.copy_of(edit.script.items[at]) : nullptr;
    const bool ends_with_it = download != nullptr && download->kind == OperationKind::d2h && !download->pageable
        && download->stream == upload->stream;
    return ends_with_it ? at + 1 : at;
}

}  // namespace

/// Cuts each upload with its kernels and download into N pieces, one after the other, with copies on separate streams.
void split(Edit& edit)
{
    constexpr std::uint16_t usual = 4;
    constexpr double most = 1024;
    const auto pieces
        = edit.change.amount >= 1 ? static_cast<std::uint16_t>(std::min(most, edit.change.amount)) : usual;
    Rewritten to(edit.script);
    for (std::size_t thread = 0; thread + 1 < edit.script.first_item.size(); ++thread) {
        for (auto index = edit.script.first_item[thread]; index < edit.script.first_item[thread + 1];) {
            const auto end = pieces > 1 ? end_of_pipeline(edit, index) : index;
            if (end == index) {
                to.add(index++);
                continue;
            }
            for (std::uint16_t piece = 0; piece < pieces; ++piece) {
                for (auto at = index; at < end; ++at) {
                    to.add(at, piece, pieces);
                }
            }
            edit.applied.count += end - index;
            index = end;
        }
        to.end_thread();
    }
    const auto count = edit.applied.count;
    if (count == 0) {
        return;
    }
    to.finish(edit.script);
    own_stream(edit);
    edit.applied.count = count;
    edit.applied.reliability = Reliability::good;
    edit.assume("can_be_cut", {{"count", std::to_string(pieces)}});
}

}  // namespace lanes::replay::changes
