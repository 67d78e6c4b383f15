// SPDX-License-Identifier: MIT
#include "engine/trace/trace.h"
#include "engine/trace/merge_tree.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr std::array<std::string_view, source_count> source_names {
    "cupti", "model", "predicted", "kineto", "nsys", "chrome", "unknown"};
static_assert(source_names.back() == "unknown", "each source has its name, in the order of Source");

}  // namespace

std::string_view name_of(Source source)
{
    return source_names.at(static_cast<std::size_t>(source));
}

Source source_of(std::string_view name)
{
    const auto* found = std::find(source_names.begin(), source_names.end(), name);
    return found == source_names.end() ? Source::unknown : static_cast<Source>(found - source_names.begin());
}

RowSpan Trace::operations_of(Row stream) const
{
    const auto [begin, end] = std::equal_range(operations.stream.begin(), operations.stream.end(), stream);
    const auto first = operations.stream.begin();
    return {static_cast<Row>(begin - first), static_cast<Row>(end - first)};
}

std::vector<Row> Trace::operations_by_time() const
{
    std::vector<RowSpan> rest;
    MergeTree next(streams.size());
    const auto step_to = [&](std::size_t stream) {
        next.set(stream, rest[stream].empty() ? MergeTree::never : operations.start[rest[stream].begin]);
    };
    for (Row stream = 0; stream < streams.size(); ++stream) {
        rest.push_back(operations_of(stream));
        step_to(stream);
    }
    std::vector<Row> order;
    order.reserve(operations.size());
    while (order.size() < operations.size()) {
        const auto stream = next.first();
        order.push_back(rest[stream].begin++);
        step_to(stream);
    }
    return order;
}

const QuerySpin* Trace::queries_of(Row call) const
{
    const auto found = std::partition_point(
        query_spins.begin(), query_spins.end(), [call](const QuerySpin& spin) { return spin.call < call; });
    return found == query_spins.end() || found->call != call ? nullptr : &*found;
}

std::span<const RangeValue> Trace::values_of(Row range) const
{
    const auto found = std::equal_range(range_values.begin(), range_values.end(), RangeValue {range, 0, 0, 0, {}},
        [](const RangeValue& a, const RangeValue& b) { return a.range < b.range; });
    return {found.first, found.second};
}

const AutogradOperator* Trace::autograd_of(Row range) const
{
    const auto found = std::lower_bound(autograd.begin(), autograd.end(), range,
        [](const AutogradOperator& of, Row wanted) { return of.range < wanted; });
    return found == autograd.end() || found->range != range ? nullptr : &*found;
}

std::uint64_t Trace::bytes_of(Row operation) const
{
    const auto detail = operations.detail[operation];
    switch (operations.kind[operation]) {
    case OperationKind::kernel:
        return 0;
    case OperationKind::memset:
        return memsets[detail].bytes;
    default:
        return copies[detail].bytes;
    }
}

std::string Trace::label_of(const Stream& stream) const
{
    if (stream.name != 0) {
        return std::string(text(stream.name));
    }
    return "stream " + std::to_string(stream.id);
}

std::string Trace::full_label_of(const Stream& stream) const
{
    // Not std::ranges::equal_range, whose result clang 14 does not compile with GCC 12's library.
    const auto first = std::ranges::lower_bound(streams, stream.device, {}, &Stream::device);
    const auto end = std::ranges::upper_bound(streams, stream.device, {}, &Stream::device);
    const bool several_processes = first != end && first->process != std::prev(end)->process;
    std::string place;
    if (devices.size() > 1) {
        place = "GPU " + std::to_string(stream.device);
    }
    if (several_processes) {
        place += (place.empty() ? "process " : ", process ") + process_label_of(stream.process);
    }
    return label_of(stream) + (place.empty() ? "" : " (" + place + ")");
}

std::string Trace::process_label_of(std::uint32_t process) const
{
    const auto found = std::ranges::lower_bound(processes, process, {}, &Process::id);
    const bool named = is_made_up(process) && found != processes.end() && found->id == process && found->name != 0;
    return named ? std::string(text(found->name)) : std::to_string(process);
}

}  // namespace lanes
