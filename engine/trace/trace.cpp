// SPDX-License-Identifier: MIT
#include "engine/trace/trace.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace lanes {

namespace {

constexpr std::array<std::string_view, 6> source_names{"cupti", "model", "predicted", "kineto", "nsys", "chrome"};

}  // namespace

std::string_view name_of(Source source)
{
    return source_names.at(static_cast<std::size_t>(source));
}

Source source_of(std::string_view name, Source fallback)
{
    const auto* found = std::find(source_names.begin(), source_names.end(), name);
    return found == source_names.end() ? fallback : static_cast<Source>(found - source_names.begin());
}

RowSpan Trace::operations_of(Row stream) const
{
    const auto [begin, end] = std::equal_range(operations.stream.begin(), operations.stream.end(), stream);
    const auto first = operations.stream.begin();
    return {static_cast<Row>(begin - first), static_cast<Row>(end - first)};
}

std::vector<Row> Trace::operations_by_time() const
{
    // The next operation of each stream; the earliest of them stands at the front of a heap.
    struct Next {
        Ns start, end;
        RowSpan rest;
        bool operator>(const Next& other) const
        {
            return std::tie(start, end, rest.begin) > std::tie(other.start, other.end, other.rest.begin);
        }
    };
    std::vector<Next> heap;
    for (Row stream = 0; stream < streams.size(); ++stream) {
        if (const auto rows = operations_of(stream); !rows.empty()) {
            heap.push_back({operations.start[rows.begin], operations.end[rows.begin], rows});
        }
    }
    std::make_heap(heap.begin(), heap.end(), std::greater<>());
    std::vector<Row> order;
    order.reserve(operations.size());
    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), std::greater<>());
        auto& next = heap.back();
        order.push_back(next.rest.begin++);
        if (next.rest.empty()) {
            heap.pop_back();
            continue;
        }
        next.start = operations.start[next.rest.begin];
        next.end = operations.end[next.rest.begin];
        std::push_heap(heap.begin(), heap.end(), std::greater<>());
    }
    return order;
}

Row Trace::first_operation_of(Row call) const
{
    Row first = no_row;
    auto at = operations.call.begin();
    while ((at = std::find(at, operations.call.end(), call)) != operations.call.end()) {
        const auto row = static_cast<Row>(at - operations.call.begin());
        if (first == no_row || operations.start[row] < operations.start[first]) {
            first = row;
        }
        ++at;
    }
    return first;
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

}  // namespace lanes
