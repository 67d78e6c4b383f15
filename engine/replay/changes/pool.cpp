// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/first_operators.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/names/call_name.h"

#include <algorithm>
#include <cstdint>
#include <map>
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

/// By process of a program, when its first operation begins. What it allocates before that is its start-up: a first
/// call makes the context, whatever its name, and no pool avoids that. Empty for a workload, whose set-up is not
/// recorded.
std::map<std::uint32_t, Ns> first_operations(const Trace& trace)
{
    std::map<std::uint32_t, Ns> first;
    for (Row stream = 0; stream < trace.streams.size() && !trace.meta.contains(meta::workload); ++stream) {
        if (const auto rows = trace.operations_of(stream); rows.begin < rows.end) {
            const Ns start = trace.operations.start[rows.begin];
            const auto at = first.try_emplace(trace.streams[stream].process, start).first;
            at->second = std::min(at->second, start);
        }
    }
    return first;
}

}  // namespace

void pool(Edit& edit)
{
    const auto first = first_operations(edit.trace);
    const auto initialising = first_operators(edit.trace);
    const auto starts_up = [&](Row call) {
        const Row thread = edit.trace.calls.thread[call];
        const auto at = first.find(thread == no_row ? no_id : edit.trace.threads[thread].process);
        return (!first.empty() && (at == first.end() || edit.trace.calls.end[call] <= at->second))
            || is_in_first_operator(initialising, thread, edit.trace.calls.start[call]);
    };
    const auto& table = edit.script.constants.table;
    const bool is_empty = edit.is_lifted("pool-has-room");
    const auto use_by = [&](const Item& item) {
        return item.kind != Item::call || item.type != CallClass::memory || item.dropped || !edit.on.call(item.row)
                || starts_up(item.row)
            ? MemoryUse::neither
            : use_of(plain_call_name(edit.trace.text(edit.trace.calls.name[item.row])), edit.on.found() != nullptr);
    };
    const bool is_reused = std::any_of(edit.script.items.begin(), edit.script.items.end(),
        [&](const Item& item) { return use_by(item) == MemoryUse::frees; });
    if (edit.on.found() == nullptr && !is_reused) {
        return;  // no memory comes back that a pool could hand out again
    }
    bool has_freed = false;
    for (auto& item : edit.script.items) {
        const auto use = use_by(item);
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
