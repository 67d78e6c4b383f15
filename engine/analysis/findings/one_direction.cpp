// SPDX-License-Identifier: MIT
// Copies of both directions that take turns on one stream, though the GPU has an engine for each.
#include "engine/analysis/findings/search.h"

#include <algorithm>

namespace lanes {

Candidate find_one_direction(const Search& search)
{
    const auto& ops = search.trace.operations;
    Candidate found;
    found.rule = "one-direction";
    Ns of_streams = 0;
    for (const auto& gpu : search.report.gpus) {
        const auto device = std::find_if(search.trace.devices.begin(), search.trace.devices.end(),
            [&](const Device& each) { return each.id == gpu.device; });
        const auto engines = device == search.trace.devices.end() ? 0 : device->copy_engines;
        if (engine_of(OperationKind::h2d, engines) == engine_of(OperationKind::d2h, engines)
            || !search.is_worth_it(std::min(gpu.h2d, gpu.d2h) - gpu.h2d_d2h_overlap)) {
            continue;
        }
        for (const auto& [stream, count, busy] : gpu.streams) {
            const auto rows = search.trace.operations_of(stream);
            std::size_t turns = 0;
            std::size_t kernels = 0;
            Row last = no_row;  // copy of the stream
            Candidate of_stream;
            for (Row row = rows.begin; row < rows.end; ++row) {
                if (ops.kind[row] == OperationKind::kernel) {
                    kernels += last == no_row ? 0 : 1;
                    last = no_row;
                    continue;
                }
                const bool is_one = ops.kind[row] == OperationKind::h2d || ops.kind[row] == OperationKind::d2h;
                if (!is_one || ops.end[row] - ops.start[row] < short_copy
                    || search.in_range(ops.start[row], ops.end[row]) == 0) {
                    continue;
                }
                turns += last != no_row && ops.kind[last] != ops.kind[row] ? 1 : 0;
                last = row;
                of_stream.take(search.part_in_range(ops.start[row], ops.end[row]), {EventTable::operations, row});
            }
            if (turns >= 2 && kernels < 2) {  // with kernels between, it is a case of copies-not-hidden
                for (const EventRef copy : of_stream.evidence.longest()) {
                    found.evidence.add(copy, ops.end[copy.row] - ops.start[copy.row]);
                }
                found.taken.insert(found.taken.end(), of_stream.taken.begin(), of_stream.taken.end());
                of_stream.bound_by_taken();
                of_streams += of_stream.bound / 2;  // at most the shorter of the two directions
                for (Row row = rows.begin; row < rows.end; ++row) {
                    if (is_copy(ops.kind[row]) && search.in_range(ops.start[row], ops.end[row]) > 0) {
                        found.rows.operations.push_back(row);
                    }
                }
            }
        }
    }
    found.bound_by_taken();
    found.bound = std::min(found.bound, of_streams);
    return found;
}

}  // namespace lanes
