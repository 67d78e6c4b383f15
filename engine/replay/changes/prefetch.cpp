// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lanes::replay::changes {

namespace {

/// Where the loading and the rest of an iteration of a thread's loop begin.
struct LoopTurn {
    std::uint32_t load, body;
};

/// The iterations of a thread's loop, and the end. Loading is an upload with what the thread did before it since its
/// last work with a GPU.
std::vector<LoopTurn> turns_of(Edit& edit, std::uint32_t thread)
{
    std::vector<LoopTurn> turns;
    const auto end = edit.script.first_item[thread + 1];
    auto load = edit.script.first_item[thread];  // after the last work with a GPU
    for (auto index = load; index < end; ++index) {
        const auto& item = edit.script.items[index];
        if (item.dropped) {
            continue;
        }
        const auto* const copy = edit.copy_of(item);
        if (copy != nullptr && copy->kind == OperationKind::h2d && !copy->pageable && edit.on.operation(copy->row)) {
            const bool goes_on = !turns.empty() && turns.back().body == load;
            if (goes_on) {
                turns.back().body = index + 1;  // an iteration with several uploads
            } else {
                turns.push_back({load, index + 1});
            }
            load = index + 1;
        } else if (item.operations > 0 || item.actions > 0 || item.wait != Item::nothing || item.kind == Item::read) {
            const bool loads = item.kind == Item::get || item.kind == Item::put || item.kind == Item::join;
            load = loads ? load : index + 1;
        }
    }
    turns.push_back({end, end});
    return turns;
}

/// A thread's items in another order: `order` has their numbers, from `first` on.
void reorder(Edit& edit, std::uint32_t first, const std::vector<std::uint32_t>& order)
{
    std::vector<std::uint32_t> place(order.size());
    std::vector<Item> items;
    std::vector<std::uint32_t> queues;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i] - first] = first + i;
        items.push_back(edit.script.items[order[i]]);
        if (order[i] < edit.script.queue_of.size()) {
            queues.push_back(edit.script.queue_of[order[i]]);
        }
    }
    std::copy(items.begin(), items.end(), edit.script.items.begin() + first);
    if (!edit.script.queue_of.empty()) {
        edit.script.queue_of.resize(edit.script.items.size(), none);
        queues.resize(order.size(), none);
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            edit.script.queue_of[first + i] = queues[i];
        }
    }
    const auto moved = [&](std::uint32_t& item) {
        if (item != none && item >= first && item - first < place.size()) {
            item = place[item - first];
        }
    };
    for (auto& item : edit.script.items) {
        moved(item.behind);
        if (item.wait == Item::item) {
            moved(item.target);
        }
    }
}

}  // namespace

/// Before its first wait, an iteration loads for the N iterations that follow; uploads go to a separate stream.
void prefetch(Edit& edit)
{
    const auto ahead = std::max<std::size_t>(1, static_cast<std::size_t>(edit.change.amount));
    for (std::uint32_t thread = 0; thread + 1 < edit.script.first_item.size(); ++thread) {
        const auto turns = turns_of(edit, thread);
        const auto count = turns.size() - 1;
        if (count < 2) {
            continue;
        }
        std::vector<std::uint32_t> order;
        const auto add = [&](std::uint32_t begin, std::uint32_t end) {
            for (; begin < end; ++begin) {
                order.push_back(begin);
            }
        };
        std::size_t loaded = 0;
        const auto load_until = [&](std::size_t turn) {
            for (; loaded < std::min(turn, count); ++loaded) {
                add(turns[loaded].load, turns[loaded].body);
            }
        };
        for (std::size_t turn = 0; turn < count; ++turn) {
            const auto end = turns[turn + 1].load;
            auto wait = turns[turn].body;
            while (wait < end && (edit.script.items[wait].dropped || edit.script.items[wait].wait == Item::nothing)) {
                ++wait;
            }
            load_until(turn + 1 + (edit.way.loads_first ? ahead : 0));
            add(turns[turn].body, wait);
            load_until(turn + 1 + ahead);
            add(wait, end);
        }
        // An iteration's kernels need its own upload, not those that come before them now.
        for (std::size_t turn = 0; turn < count; ++turn) {
            std::uint32_t upload = none;
            for (auto index = turns[turn].load; index < turns[turn + 1].load; ++index) {
                const auto& item = edit.script.items[index];
                if (index < turns[turn].body) {
                    upload = item.operations > 0 ? item.first_operation : upload;
                    continue;
                }
                for (std::uint32_t i = 0; i < item.operations; ++i) {
                    edit.script.operations[item.first_operation + i].needs = upload;
                }
            }
            ++edit.applied.count;
        }
        reorder(edit, turns.front().load, order);
    }
    if (edit.applied.count == 0) {
        return;
    }
    const auto turns = edit.applied.count;
    own_stream(edit);
    for (auto& stream : edit.script.streams) {
        stream.loads_ahead = stream.loads_ahead || stream.uploads != none;
    }
    edit.applied.count = turns;
    edit.applied.loads_ahead = true;
    edit.applied.reliability = Reliability::good;
    edit.assume("loads_ahead", {{"count", std::to_string(ahead)}});
}

}  // namespace lanes::replay::changes
