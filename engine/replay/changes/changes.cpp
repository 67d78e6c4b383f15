// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"

#include <array>
#include <cstddef>

namespace lanes::replay {

namespace {

constexpr std::array<ChangeRow, change_kinds> rows_of_changes {{
    {ChangeKind::pin, "pin", ChangeRow::no_amount, ChangeRow::possible, changes::pin,
        "Copy from and to pinned instead of pageable memory"},
    {ChangeKind::non_blocking, "non-blocking", ChangeRow::no_amount, ChangeRow::possible, changes::non_blocking,
        "Copy without waiting: non_blocking=True, cudaMemcpyAsync instead of cudaMemcpy"},
    {ChangeKind::event_waits, "event-waits", ChangeRow::no_amount, ChangeRow::possible, changes::event_waits,
        "Replace synchronisations and query loops by streams that wait for events"},
    {ChangeKind::drop_syncs, "drop-syncs", ChangeRow::optional, ChangeRow::possible, changes::drop_syncs,
        "Leave out synchronisations, or keep only every N-th"},
    {ChangeKind::drop_values, "drop-values", ChangeRow::optional, ChangeRow::possible, changes::drop_values,
        "Leave out fetching small results (.item(): its copy, its wait and its read), or keep only every N-th"},
    {ChangeKind::leave_legacy, "leave-legacy", ChangeRow::no_amount, ChangeRow::never, changes::leave_legacy,
        "Move work away from the legacy default stream"},
    {ChangeKind::own_stream, "own-stream", ChangeRow::no_amount, ChangeRow::possible, changes::own_stream,
        "Copy on separate streams, one per direction"},
    {ChangeKind::pool, "pool", ChangeRow::no_amount, ChangeRow::possible, changes::pool,
        "Allocate from a memory pool instead of cudaMalloc and cudaFree"},
    {ChangeKind::graph, "graph", ChangeRow::optional, ChangeRow::possible, changes::graph,
        "Launch CUDA graphs of N kernels each, or of the sequences that repeat"},
    {ChangeKind::faster, "faster", ChangeRow::factor, ChangeRow::possible, changes::faster,
        "Make kernels N times as fast"},
    {ChangeKind::more_streams, "more-streams", ChangeRow::optional, ChangeRow::possible, changes::more_streams,
        "Distribute the work of a stream over N streams (default: 2), switching at each upload"},
    {ChangeKind::overlap_all_reduce, "overlap-all-reduce", ChangeRow::no_amount, ChangeRow::possible,
        changes::overlap_all_reduce,
        "Start collectives when their part of the preceding kernels (those of QUERY) is done"},
    {ChangeKind::faster_link, "faster-link", ChangeRow::factor, ChangeRow::possible, changes::faster_link,
        "Make copies from and to pinned memory N times as fast: a bound for a faster link"},
    {ChangeKind::prefetch, "prefetch", ChangeRow::optional, ChangeRow::possible, changes::prefetch,
        "Issue uploads from pinned memory N loop iterations earlier (default: 1), on a separate stream"},
    {ChangeKind::split, "split", ChangeRow::optional, ChangeRow::possible, changes::split,
        "Split an upload from pinned memory, its kernels and their download into a pipeline of N pieces (default: 4)"},
    {ChangeKind::buckets, "buckets", ChangeRow::optional, ChangeRow::possible, changes::buckets,
        "Split each collective into N buckets (default: 4); each starts when its part of the preceding kernels (of "
        "QUERY) is done"},
    {ChangeKind::gather, "gather", ChangeRow::no_amount, ChangeRow::possible, changes::gather,
        "Merge four or more successive copies of 64 KiB or less in one direction into one"},
    {ChangeKind::workers, "workers", ChangeRow::optional, ChangeRow::possible, changes::workers,
        "Load batches in N worker processes (default: 4) instead of the thread itself: num_workers of a DataLoader"},
    {ChangeKind::at_once, "at-once", ChangeRow::no_amount, ChangeRow::needed, changes::at_once,
        "Let calls (of QUERY) return at once, and host work and ranges take no time of their thread: a bound"},
    {ChangeKind::peer, "peer", ChangeRow::no_amount, ChangeRow::of_finding, changes::peer,
        "Copy directly from GPU to GPU what a finding says goes through host memory"},
    {ChangeKind::on_stream, "on-stream", ChangeRow::number, ChangeRow::needed, changes::on_stream,
        "Copy (what matches QUERY) on stream N of the same context, behind what that stream does"},
}};

constexpr bool is_in_order()
{
    for (std::size_t i = 0; i < rows_of_changes.size(); ++i) {
        if (rows_of_changes[i].kind != static_cast<ChangeKind>(i)) {
            return false;
        }
    }
    return true;
}
static_assert(is_in_order());

}  // namespace

std::span<const ChangeRow> change_rows()
{
    return rows_of_changes;
}

const ChangeRow& row_of(ChangeKind kind)
{
    return rows_of_changes[static_cast<std::size_t>(kind)];
}

}  // namespace lanes::replay
