// SPDX-License-Identifier: MIT
// Copies that take turns with kernels of their own stream.
#include "engine/analysis/figures/operation_sweep.h"
#include "engine/analysis/findings/search.h"

namespace lanes {

namespace {

/// When any kernel ran on a GPU, within the range.
IntervalSet time_of_kernels(const Search& search, std::uint32_t device)
{
    struct Kernels {
        const Trace& trace;
        std::uint32_t device;
        std::uint64_t open_now = 0;
        IntervalSet set {};

        bool counts(Row row, Row stream) const
        {
            return trace.operations.kind[row] == OperationKind::kernel && trace.streams[stream].device == device;
        }
        void open(Row row, Row stream, Ns time, bool /*first*/)
        {
            if (counts(row, stream) && open_now++ == 0) {
                set.push_back({time, INT64_MAX});
            }
        }
        void close(Row row, Row stream, Ns time, bool /*last*/)
        {
            if (counts(row, stream) && --open_now == 0) {
                set.back().end = time;
            }
        }
    };
    Kernels kernels {search.trace, device};
    const auto range = search.report.range;
    OperationSweep(search.trace, search.bounds.operations, range.start, kernels).run(range.end, kernels);
    if (!kernels.set.empty()) {
        kernels.set.back().end = std::min(kernels.set.back().end, range.end);
    }
    return unite(std::move(kernels.set));  // without those of no length
}

}  // namespace

Candidate find_unhidden_copies(const Search& search)
{
    const auto& ops = search.trace.operations;
    const auto range = search.report.range;
    Candidate found;
    found.rule = "copies-not-hidden";
    Ns of_gpus = 0;
    for (const auto& gpu : search.report.gpus) {
        if (!search.is_worth_it(gpu.copy_exposed)) {
            continue;
        }
        std::vector<Row> copies;  // of streams on which copies take turns with kernels
        for (const auto& [stream, count, busy] : gpu.streams) {
            const auto rows = search.trace.operations_of(stream);
            const auto first_copy = copies.size();
            bool last_was_copy = false;
            std::size_t kernels_after_copies = 0;
            for (Row row = rows.begin; row < rows.end; ++row) {
                if (ops.kind[row] == OperationKind::kernel) {
                    kernels_after_copies += last_was_copy ? 1 : 0;
                    last_was_copy = false;
                } else if (is_copy(ops.kind[row]) && ops.end[row] - ops.start[row] >= short_copy) {
                    last_was_copy = true;
                    if (search.in_range(ops.start[row], ops.end[row]) > 0) {
                        copies.push_back(row);
                    }
                }
            }
            if (kernels_after_copies < 2) {
                copies.resize(first_copy);
            }
        }
        const auto set = copies.empty() ? IntervalSet {} : time_of_kernels(search, gpu.device);
        if (set.empty()) {
            continue;
        }
        // No kernel can hide a copy before the first kernel or after the last: a pipeline fills and drains.
        const Interval inside = common(range, {set.front().start, set.back().end});
        const Coverage kernels(set);
        std::vector<Interval> exposed_copies;
        for (const Row row : copies) {
            const Interval copy = common({ops.start[row], ops.end[row]}, inside);
            if (const Ns exposed = length(copy) - kernels.within(copy); exposed > 0) {
                exposed_copies.push_back(copy);
                found.evidence.add({EventTable::operations, row}, exposed);
            }
        }
        // A copy is hidden by a kernel that hides none yet.
        const auto exposed = subtract(unite(std::move(exposed_copies)), kernels.set());
        const Ns bound
            = std::min(length(exposed), kernels.within(inside) - std::min(kernels.within(inside), gpu.copy_hidden));
        if (search.is_worth_it(bound)) {
            of_gpus += bound;
            found.taken.insert(found.taken.end(), exposed.begin(), exposed.end());
            found.rows.operations.insert(found.rows.operations.end(), copies.begin(), copies.end());
        }
    }
    found.bound_by_taken();
    found.bound = std::min(found.bound, of_gpus);
    return found;
}

}  // namespace lanes
