// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/follow_parts.h"
#include "engine/replay/rewritten.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lanes::replay::changes {

/// Each collective becomes N. Each of them follows a further N-th of the kernels.
void buckets(Edit& edit)
{
    constexpr std::uint16_t usual = 4;
    constexpr double most = 1024;
    const auto pieces
        = edit.change.amount >= 1 ? static_cast<std::uint16_t>(std::min(most, edit.change.amount)) : usual;
    const auto is_collective = [&](const Item& item) {
        return !item.dropped && item.operations == 1 && item.wait == Item::nothing
            && edit.script.operations[item.first_operation].gang != none
            && edit.script.streams[edit.script.operations[item.first_operation].stream].home == none
            && edit.script.operations[item.first_operation].pieces == 1;
    };
    std::vector<std::uint32_t> cut(edit.script.gang_sizes.size());  // members that can be cut
    for (const auto& item : edit.script.items) {
        if (is_collective(item)) {
            ++cut[edit.script.operations[item.first_operation].gang];
        }
    }
    const auto gang_of = [&](std::uint32_t index) {
        const auto& item = edit.script.items[index];
        const auto gang = is_collective(item) ? edit.script.operations[item.first_operation].gang : none;
        return gang != none && cut[gang] == edit.script.gang_sizes[gang] ? gang : none;
    };
    Rewritten to(edit.script);
    bool any = false;
    for (std::size_t thread = 0; thread + 1 < edit.script.first_item.size(); ++thread) {
        const auto end = edit.script.first_item[thread + 1];
        for (auto index = edit.script.first_item[thread]; index < end;) {
            const auto gang = gang_of(index);
            // What one thread launches on several GPUs is cut together: first one piece on all of them, then the next.
            auto last = index;
            for (auto at = index + 1; gang != none && at < end; ++at) {
                if (gang_of(at) == gang) {
                    last = at;
                } else if (edit.script.items[at].operations > 0 || edit.script.items[at].wait != Item::nothing) {
                    break;
                }
            }
            const auto count = gang == none ? std::uint16_t {1} : pieces;
            any = any || count > 1;
            for (std::uint16_t piece = 0; piece < count; ++piece) {
                for (auto at = index; at <= last; ++at) {
                    if (gang_of(at) == gang) {
                        to.add(at, piece, count);
                    } else if (piece == 0) {
                        to.add(at);
                    }
                }
            }
            index = last + 1;
        }
        to.end_thread();
    }
    if (!any) {
        return;
    }
    to.finish(edit.script);
    // Each piece has a gang.
    const auto gangs = static_cast<std::uint32_t>(edit.script.gang_sizes.size());
    for (auto& operation : edit.script.operations) {
        if (operation.gang != none && operation.piece > 0) {
            operation.gang += gangs * operation.piece;
        }
    }
    const auto sizes = edit.script.gang_sizes;
    for (std::uint16_t piece = 1; piece < pieces; ++piece) {
        edit.script.gang_sizes.insert(edit.script.gang_sizes.end(), sizes.begin(), sizes.end());
    }
    follow_parts(edit);
    edit.applied.reliability = Reliability::good;
    if (edit.applied.count > 0) {
        edit.assume("gradients_in_order");
        edit.assume("can_be_buckets", {{"count", std::to_string(pieces)}});
    }
}

}  // namespace lanes::replay::changes
