// SPDX-License-Identifier: MIT
#include "gui/lanes/stream_kinds.h"

#include "engine/analysis/facts/communication.h"
#include "gui/lanes/in_parallel.h"

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr Row slice_operations = 1U << 18U;

struct Slice {
    Row stream;
    RowSpan rows;
    StreamKinds found = {};
};

void look(const Trace& trace, const ShownEvents& shown, const CommunicationKernels& communicates, Slice& slice)
{
    StreamKinds found;
    for (Row row = slice.rows.begin; row < slice.rows.end; ++row) {
        const OperationKind kind = trace.operations.kind[row];
        const auto bit = static_cast<KindSet>(1U << static_cast<unsigned>(kind));
        found.all |= bit;
        if (!has(found.shown, kind) && shown.operation(row)) {
            found.shown |= bit;
        }
        found.computes = found.computes || (kind == OperationKind::kernel && !communicates.has(trace, row));
    }
    slice.found = found;
}

}  // namespace

std::vector<StreamKinds> kindsOfStreams(const Trace& trace, const ShownEvents& shown)
{
    std::vector<Slice> slices;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const RowSpan span = trace.operations_of(stream);
        for (Row begin = span.begin; begin < span.end; begin += std::min(slice_operations, span.end - begin)) {
            slices.push_back({stream, {begin, begin + std::min(slice_operations, span.end - begin)}});
        }
    }
    const CommunicationKernels communicates(trace);
    inParallel(slices.size(), [&](std::size_t i) { look(trace, shown, communicates, slices[i]); });
    std::vector<StreamKinds> kinds(trace.streams.size());
    for (const Slice& slice : slices) {
        kinds[slice.stream].all |= slice.found.all;
        kinds[slice.stream].shown |= slice.found.shown;
        kinds[slice.stream].computes = kinds[slice.stream].computes || slice.found.computes;
    }
    return kinds;
}

}  // namespace lanes::gui
