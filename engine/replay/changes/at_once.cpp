// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/intervals.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>
#include <vector>

namespace lanes::replay::changes {

namespace {

/// By thread, the stretches of its own time that are to take no time: a finding's, or the ranges that the query
/// matches.
std::vector<IntervalSet> stretches_at_once(const Edit& edit)
{
    if (const auto* const found = edit.on.found(); found != nullptr) {
        return found->own_time;
    }
    std::vector<std::vector<Interval>> threads(edit.trace.threads.size());
    for (Row row = 0; row < edit.trace.ranges.size(); ++row) {
        const auto& range = edit.trace.ranges[row];
        if (range.thread != no_row && !range.open && !range.mark && edit.on.range(row)) {
            threads[range.thread].push_back({range.start, range.end});
        }
    }
    for (auto& thread : threads) {
        thread = unite(std::move(thread));
    }
    return threads;
}

/// The call does not wait, and what it issues begins as soon as with other calls: without loading code or waiting for
/// room.
void return_at_once(Edit& edit, Item& item)
{
    item.wait = Item::nothing;
    item.held = false;
    item.full = false;
    item.at_once = true;
    // A finding only says that an allocation waited: the allocating itself takes as long as recorded.
    const bool allocates = item.type == CallClass::memory && edit.on.found() != nullptr;
    const Ns left = item.end - item.start - edit.blocking.time_of(item.row);
    item.own = allocates ? std::min(item.own, std::max(short_call, left)) : std::min(item.own, short_call);
    for (std::uint32_t i = 0; i < item.operations; ++i) {
        auto& operation = edit.script.operations[item.first_operation + i];
        if (operation.bound == StartCause::launch) {
            operation.bound = StartCause::unknown;
        }
    }
}

}  // namespace

/// Calls return at once; host work, and a thread's own time within a range, takes no time.
void at_once(Edit& edit)
{
    const auto stretches = stretches_at_once(edit);
    std::vector<Coverage> of_thread;
    for (const auto& set : stretches) {
        of_thread.emplace_back(set);
    }
    for (std::uint32_t index = 0; index < edit.script.items.size(); ++index) {
        auto& item = edit.script.items[index];
        if (item.dropped) {
            continue;
        }
        bool is_changed = false;
        if (item.thread < of_thread.size() && !of_thread[item.thread].set().empty()) {
            const auto& own = of_thread[item.thread];
            const Ns gap = std::min(item.gap, own.within({item.start - item.gap, item.start}));
            const bool waits = item.wait != Item::nothing || item.kind == Item::get || item.kind == Item::put
                || item.kind == Item::join;
            const Ns work = waits ? 0 : std::min(item.own, own.within({item.start, item.end}));
            item.gap -= gap;
            item.own -= work;
            for (std::uint32_t i = 0; i < item.operations; ++i) {  // it was submitted that much later
                auto& operation = edit.script.operations[item.first_operation + i];
                const Ns before = operation.bound == StartCause::launch
                    ? own.within({item.start, std::min(item.end, operation.was)})
                    : 0;
                operation.delay -= std::min(operation.delay, before);
            }
            is_changed = gap + work > 0;
            item.not_before = gap > 0 ? 0 : item.not_before;
        }
        if (item.kind == Item::call && edit.on.call(item.row)) {
            return_at_once(edit, item);
            is_changed = true;
        } else if (item.kind == Item::work && edit.on.host_span(item.row)) {
            item.own = 0;
            is_changed = true;
        }
        edit.applied.count += is_changed ? 1 : 0;
    }
    edit.applied.reliability = Reliability::bound;
    if (edit.applied.count > 0) {
        edit.assume("takes_no_time");
    }
}

}  // namespace lanes::replay::changes
