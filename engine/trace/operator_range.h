// SPDX-License-Identifier: MIT
// Which ranges are PyTorch's operators.
#pragma once

#include "engine/trace/trace.h"

#include <string_view>

namespace lanes {

/// Begins the name of a step of PyTorch's profiler: "ProfilerStep#7".
inline constexpr std::string_view profiler_step = "ProfilerStep#";

/// Whether a range is an operator. In recordings of other tools a range is only a name. A step of the profiler is no
/// operator, though its old versions wrote it as one.
inline bool is_operator(const Trace& trace, Row row)
{
    const auto& range = trace.ranges[row];
    const auto kind = trace.text(range.domain);
    return (trace.source == Source::kineto || trace.source == Source::cupti) && range.thread != no_row && !range.mark
        && (kind == operator_domain || (kind == "Operator" && !trace.text(range.name).starts_with(profiler_step)));
}

}  // namespace lanes
