// SPDX-License-Identifier: MIT
#include "engine/trace/trace.h"

#include <algorithm>

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
