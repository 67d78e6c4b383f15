// SPDX-License-Identifier: MIT
#include "gui/lanes/stream_kinds.h"

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

void look(
    const Trace& trace, const ShownEvents& shown, const CommunicationKernels& communicates, Interval span, Slice& slice)
{
    StreamKinds found;
    for (Row row = slice.rows.begin; row < slice.rows.end; ++row) {
        const OperationKind kind = trace.operations.kind[row];
        const auto bit = static_cast<KindSet>(1U << static_cast<unsigned>(kind));
        const auto part = static_cast<std::size_t>(partOf(trace, communicates, row));
        found.all |= bit;
        found.does[part] = true;
        found.busy[part] += time_in(trace.operations.start[row], trace.operations.end[row], span);
        if ((!has(found.shown, kind) || !found.shows[part]) && shown.operation(row)) {
            found.shown |= bit;
            found.shows[part] = true;
        }
    }
    slice.found = found;
}

}  // namespace

StreamPart partOf(const Trace& trace, const CommunicationKernels& communicates, Row operation)
{
    return trace.operations.kind[operation] != OperationKind::kernel ? StreamPart::copies
        : communicates.has(trace, operation)                         ? StreamPart::communication
                                                                     : StreamPart::compute;
}

std::vector<StreamKinds> kindsOfStreams(
    const Trace& trace, const CommunicationKernels& communicates, const ShownEvents& shown, Interval span)
{
    std::vector<Slice> slices;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const RowSpan rows = trace.operations_of(stream);
        for (Row begin = rows.begin; begin < rows.end; begin += std::min(slice_operations, rows.end - begin)) {
            slices.push_back({stream, {begin, begin + std::min(slice_operations, rows.end - begin)}});
        }
    }
    inParallel(slices.size(), [&](std::size_t i) { look(trace, shown, communicates, span, slices[i]); });
    std::vector<StreamKinds> kinds(trace.streams.size());
    for (const Slice& slice : slices) {
        StreamKinds& of = kinds[slice.stream];
        of.all |= slice.found.all;
        of.shown |= slice.found.shown;
        for (std::size_t part = 0; part < of.does.size(); ++part) {
            of.does[part] = of.does[part] || slice.found.does[part];
            of.shows[part] = of.shows[part] || slice.found.shows[part];
            of.busy[part] += slice.found.busy[part];
        }
    }
    return kinds;
}

}  // namespace lanes::gui
