// SPDX-License-Identifier: MIT
// Which ranges were sampled: where Python was, as a sampler saw it from outside.
#pragma once

#include "engine/trace/trace.h"

namespace lanes {

/// Whether a range is one of samples (sampled_domain). Its ends are known to the samples' interval only, and it does
/// not nest with other ranges: it is no part of what a program says of itself, and no time of a range or a call counts
/// as its.
inline bool is_sampled(const Trace& trace, const Range& range)
{
    return range.domain != 0 && trace.text(range.domain) == sampled_domain;
}
inline bool is_sampled(const Trace& trace, Row row)
{
    return is_sampled(trace, trace.ranges[row]);
}

}  // namespace lanes
