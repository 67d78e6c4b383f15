// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/value_copies.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lanes::replay::changes {

namespace {

constexpr std::size_t a_batch = 4;  // as the finding has it

/// A small copy takes a fixed time of the copy engine and the link's time for its bytes: on an H200 a pinned copy takes
/// 2.7 us for 16 KiB and 4.8 us for 128 KiB. The driver copies a pageable one first, and that time is not recorded
/// apart from the engine's: for these only the model device's fixed time is saved.
void join(Edit& edit, const std::vector<std::uint32_t>& items, Operation& all)
{
    const auto& constants = edit.script.constants;
    const bool up = all.kind == OperationKind::h2d;
    const Ns once = up ? constants.table.h2d_overhead : constants.table.d2h_overhead;
    const double rate = up ? constants.h2d_rate : constants.d2h_rate;
    Ns longest = 0;
    Ns sum = 0;
    std::uint64_t bytes = 0;
    for (const auto each : items) {
        const auto& copy = edit.script.operations[edit.script.items[each].first_operation];
        const auto own = edit.trace.bytes_of(copy.row);
        bytes += own;
        if (copy.pageable) {
            longest = std::max(longest, std::min(once, copy.length));
            sum += std::max<Ns>(0, copy.length - once);
        } else {
            const auto on_link = static_cast<Ns>(std::llround(static_cast<double>(own) / rate));
            longest = std::max(longest, copy.length - std::min(on_link, copy.length));
            sum += on_link;
        }
    }
    all.bytes = bytes;
    all.length = std::max(longest + sum, all.length);
}

}  // namespace

/// Small copies of one direction that one thread issues in a row on a stream become the last of them, which carries the
/// bytes of all. A wait, a read or other work between two keeps them apart.
void gather(Edit& edit)
{
    const auto small = [&](const Item& item) {
        const auto* const copy = edit.copy_of(item);
        return copy != nullptr && edit.trace.bytes_of(copy->row) <= most_of_a_value && edit.on.operation(copy->row)
            ? copy
            : nullptr;
    };
    for (std::size_t thread = 0; thread + 1 < edit.script.first_item.size(); ++thread) {
        const auto end = edit.script.first_item[thread + 1];
        for (auto index = edit.script.first_item[thread]; index < end; ++index) {
            const auto* const first = small(edit.script.items[index]);
            if (first == nullptr) {
                continue;
            }
            std::vector<std::uint32_t> row {index};
            for (auto at = index + 1; at < end; ++at) {
                const auto& item = edit.script.items[at];
                const auto* const copy = small(item);
                if (copy != nullptr && copy->kind == first->kind && copy->stream == first->stream
                    && copy->pageable == first->pageable && item.type == edit.script.items[index].type) {
                    row.push_back(at);
                } else if (!item.dropped
                    && (item.operations > 0 || item.actions > 0 || item.wait != Item::nothing || item.behind != none
                        || (item.kind != Item::call && item.kind != Item::work))) {
                    break;
                }
            }
            index = row.back();
            if (row.size() < a_batch) {
                continue;
            }
            auto& all = edit.script.operations[edit.script.items[row.back()].first_operation];
            join(edit, row, all);
            const auto& begins = edit.script.operations[edit.script.items[row.front()].first_operation];
            all.bound = begins.bound;  // it follows what the first of them followed
            all.delay = begins.delay;
            for (const auto each : row) {
                if (each != row.back()) {
                    edit.drop(each);
                    ++edit.applied.count;
                }
            }
        }
    }
    edit.applied.reliability = Reliability::good;
    if (edit.applied.count > 0) {
        edit.assume("lies_together");
    }
}

}  // namespace lanes::replay::changes
