// SPDX-License-Identifier: MIT
// Which ranges are PyTorch's operators, and which are steps of its profiler.
#pragma once

#include "engine/trace/trace.h"

#include <string_view>

namespace lanes {

inline constexpr std::string_view profiler_step = "ProfilerStep#";  ///< then the step's number

inline bool is_profiler_step(std::string_view name)
{
    return name.starts_with(profiler_step);
}

/// Whether a range is an operator. In recordings of other tools a range is only a name. A step of the profiler is no
/// operator, though its old versions wrote it as one.
inline bool is_operator(const Trace& trace, Row row)
{
    const auto& range = trace.ranges[row];
    const auto kind = trace.text(range.domain);
    return (trace.source == Source::kineto || trace.source == Source::cupti) && range.thread != no_row && !range.mark
        && (kind == operator_domain || (kind == "Operator" && !is_profiler_step(trace.text(range.name))));
}

}  // namespace lanes
