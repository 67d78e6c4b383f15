// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace lanes::replay::changes {

namespace {

enum class MemoryUse : std::uint8_t { neither, allocates, frees };

/// `of_finding`: pinned memory too, for which a program has another pool, as PyTorch does. Without a finding that it is
/// allocated in a loop, it may be needed only once.
MemoryUse use_of(std::string_view name, bool of_finding)
{
    const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (name == "cudaFree" || name == "cuMemFree" || name == "hipFree") {
        return MemoryUse::frees;
    }
    if (name == "cudaMalloc" || name == "cuMemAlloc" || name == "hipMalloc") {
        return MemoryUse::allocates;
    }
    return !of_finding                     ? MemoryUse::neither
        : has("Free") || has("Unregister") ? MemoryUse::frees
                                           : MemoryUse::allocates;
}

}  // namespace

void pool(Edit& edit)
{
    const auto& table = edit.script.constants.table;
    const bool is_empty = edit.is_lifted("pool-has-room");
    bool has_freed = false;
    for (auto& item : edit.script.items) {
        if (item.kind != Item::call || item.type != CallClass::memory || item.dropped || !edit.on.call(item.row)) {
            continue;
        }
        const auto name = edit.trace.text(edit.trace.calls.name[item.row]);
        const auto use = use_of(name, edit.on.found() != nullptr);
        const bool frees = use == MemoryUse::frees;
        has_freed = has_freed || frees;
        if (use == MemoryUse::neither || (is_empty && !has_freed)) {
            continue;  // an empty pool allocates until memory comes back
        }
        item.wait = Item::nothing;
        item.held = false;
        item.own = std::min(item.end - item.start, frees ? table.pool_free_call : table.pool_alloc_call);
        ++edit.applied.count;
    }
    if (edit.applied.count > 0) {
        edit.add_assumption("pool_has_room", {});
    }
}

}  // namespace lanes::replay::changes
