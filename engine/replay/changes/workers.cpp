// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/figures/batches.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lanes::replay::changes {

namespace {

// PyTorch's workers, six loops on an H100 with batches of 0.2 to 37 MiB and 2 or 4 workers (docs/whatif.md): a worker,
// which computes with one thread, takes 0.6 to 3.2 times as long as the thread itself; the thread takes 1.2 to 1.8 ms
// to map a batch, and about 0.15 ns a byte to unmap it once it is copied.
constexpr double longer_in_worker = 1.5;
constexpr Ns taking_batch = 1'500'000;
constexpr double unmapping_per_byte = 0.15;

/// By thread, the ranges in which it fetches the next batch of PyTorch's DataLoader itself.
std::vector<std::vector<Interval>> fetches(Edit& edit)
{
    std::vector<std::vector<Interval>> threads(edit.trace.threads.size());
    for (Row row = 0; row < edit.trace.ranges.size(); ++row) {
        const auto& range = edit.trace.ranges[row];
        if (range.thread != no_row && !range.open && fetches_batch_itself(edit.trace.text(range.name))
            && edit.on.range(row)) {
            threads[range.thread].push_back({range.start, range.end});
        }
    }
    for (auto& thread : threads) {
        std::sort(thread.begin(), thread.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    }
    return threads;
}

/// Takes from a thread its part of `loading` from item `from` up to the gap of `index`: time between calls, and items
/// that neither issue nor wait. Returns how long that took.
Ns take_loading(Edit& edit, std::uint32_t from, std::uint32_t index, const Coverage& loading)
{
    Ns taken = 0;
    Ns rest = 0;  // the rest of the gaps before dropped items
    for (auto at = from; at <= index; ++at) {
        auto& item = edit.script.items[at];
        if (item.dropped) {
            continue;
        }
        const Ns gap = std::min(item.gap, loading.within({item.start - item.gap, item.start}));
        item.gap += rest - gap;
        taken += gap;
        const Ns length = item.end - item.start;
        const bool does_nothing_else = item.operations == 0 && item.actions == 0 && item.wait == Item::nothing;
        item.dropped
            = at < index && does_nothing_else && length > 0 && loading.within({item.start, item.end}) == length;
        taken += item.dropped ? length : 0;
        rest = item.dropped ? item.gap : 0;
    }
    return taken;
}

/// Adds the time to unmap a batch that a worker loaded, after the first upload from `index` on has copied it.
void unmap_behind(Edit& edit, std::uint32_t index)
{
    const auto end = edit.end_of(edit.script.items[index]);
    for (; index < end; ++index) {
        const auto* const copy = edit.copy_of(edit.script.items[index]);
        if (copy != nullptr && copy->kind == OperationKind::h2d) {
            if (const auto behind = edit.next(index); behind < end) {
                edit.script.items[behind].taking
                    += static_cast<Ns>(static_cast<double>(edit.trace.bytes_of(copy->row)) * unmapping_per_byte);
            }
            return;
        }
    }
}

}  // namespace

/// N other processes load the batches in turn; the thread takes them in order. A process takes as long as the thread
/// took, one of PyTorch's longer. Loading is what the DataLoader's ranges say, else a thread's recorded host work
/// before an upload, since its last work with a GPU.
void workers(Edit& edit)
{
    const auto count = edit.change.amount >= 1 ? static_cast<std::uint32_t>(edit.change.amount) : 4U;
    const auto ranges = fetches(edit);
    bool by_torch = false;
    for (std::uint32_t thread = 0; thread + 1 < edit.script.first_item.size(); ++thread) {
        const bool is_named = thread < ranges.size() && !ranges[thread].empty();
        const auto end = edit.script.first_item[thread + 1];
        auto from = edit.script.first_item[thread];
        std::vector<Interval> loading;
        auto next = is_named ? ranges[thread].begin() : std::vector<Interval>::const_iterator();
        for (auto index = from; index < end; ++index) {
            auto& item = edit.script.items[index];
            if (item.dropped) {
                continue;
            }
            bool takes = false;  // a batch, after its loading
            if (is_named) {
                loading.clear();
                for (; next != ranges[thread].end() && next->end <= item.start; ++next) {
                    loading.push_back(*next);
                }
                takes = !loading.empty();
            } else if (item.kind == Item::work && edit.on.host_span(item.row)) {
                loading.push_back({item.start, item.end});
                continue;
            } else {
                const auto* const copy = edit.copy_of(item);
                takes = copy != nullptr && copy->kind == OperationKind::h2d && !loading.empty();
            }
            if (takes) {
                item.loading = take_loading(edit, from, index, Coverage(unite(loading)));
                item.workers = count;
                ++edit.applied.count;
                if (is_named) {
                    item.loading = static_cast<Ns>(static_cast<double>(item.loading) * longer_in_worker);
                    item.taking = taking_batch;
                    unmap_behind(edit, index);
                    by_torch = true;
                }
            }
            if (takes || item.operations > 0 || item.actions > 0 || item.wait != Item::nothing
                || item.kind == Item::read) {
                loading.clear();
                from = index + 1;
            }
        }
    }
    edit.applied.reliability = by_torch ? Reliability::conditional : Reliability::good;
    if (edit.applied.count > 0) {
        edit.assume(
            "workers_load", {{"count", std::to_string(edit.applied.count)}, {"workers", std::to_string(count)}});
    }
}

}  // namespace lanes::replay::changes
