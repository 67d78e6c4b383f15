// SPDX-License-Identifier: MIT
#include "engine/analysis/words/shown.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"
#include "engine/trace/median.h"

#include <algorithm>
#include <cmath>

namespace lanes::replay::changes {

namespace {

/// Bytes per ns of pageable uploads; the upper quartile, as slower ones also wait for threads of the host.
double staged_rate(Edit& edit)
{
    std::vector<double> rates;
    for (const auto& operation : edit.script.operations) {
        if (operation.kind == OperationKind::h2d && operation.pageable && operation.length > 0) {
            rates.push_back(
                static_cast<double>(edit.trace.bytes_of(operation.row)) / static_cast<double>(operation.length));
        }
    }
    if (rates.empty()) {
        return edit.script.constants.table.host_memcpy_bandwidth * 1e-9;
    }
    return nth_part(rates, 3, 4);
}

/// If a thread uploads what it got from another one, a third copies that into pinned memory, as a loader does. It takes
/// as long as the driver's copy of pageable memory, which it replaces. False: the thread got nothing.
bool serve(Edit& edit, std::uint32_t index, Ns length)
{
    const auto first = edit.script.first_item[edit.script.items[index].thread];
    for (auto at = index; at > first; --at) {
        auto& item = edit.script.items[at - 1];
        if (item.kind == Item::get && !item.dropped) {
            item.service += length;
            return true;
        }
        if (item.operations > 0) {
            return false;
        }
    }
    return false;
}

}  // namespace

void pin(Edit& edit)
{
    std::uint64_t bytes = 0;
    std::uint64_t served = 0;
    std::uint32_t first = none;  // the first upload that no other thread copies
    const double staged = staged_rate(edit);
    for (std::uint32_t index = 0; index < edit.script.items.size(); ++index) {
        auto& item = edit.script.items[index];
        const auto* const copy = edit.copy_of(item);
        if (copy == nullptr || !copy->pageable || !edit.is_meant(*copy)) {
            continue;
        }
        auto& operation = edit.script.operations[item.first_operation];
        const auto staging
            = static_cast<Ns>(std::llround(static_cast<double>(edit.trace.bytes_of(operation.row)) / staged));
        const bool is_served = operation.kind == OperationKind::h2d && serve(edit, index, staging);
        served += is_served ? 1 : 0;
        first = first == none && !is_served ? index : first;
        operation.pageable = false;
        operation.is_pinned_now = true;
        operation.length
            = std::min(operation.length, edit.copy_time(edit.trace.bytes_of(operation.row), operation.kind));
        operation.bound = StartCause::unknown;
        item.held = false;
        if (edit.trace.copies[edit.trace.operations.detail[operation.row]].async) {
            item.wait = Item::nothing;
        }
        item.own = std::min(item.end - item.start, edit.script.constants.copy_call);
        const auto* const found = edit.on.found();
        item.own += found == nullptr ? 0 : found->time_of(operation.row).value_or(0);
        bytes = std::max(bytes, edit.trace.bytes_of(operation.row));
        ++edit.applied.count;
    }
    if (served > 0) {
        edit.assume("pinned_by_thread", {{"count", std::to_string(served)}});
    }
    if (edit.applied.count > served) {
        const auto once = static_cast<Ns>(static_cast<double>(bytes) / edit.script.constants.table.pin_bandwidth * 1e9);
        if (edit.add_assumption("pinned_before", {{"time", shown_time(once)}, {"bytes", shown_bytes(bytes)}})) {
            edit.script.items[first].own += once;  // then the copy is made in the run, before it is needed
        }
    }
}

}  // namespace lanes::replay::changes
