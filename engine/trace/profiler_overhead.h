// SPDX-License-Identifier: MIT
// Which overheads are the profiler's own.
#pragma once

#include "probes/record.h"

namespace lanes {

/// Whether it is a cost of recording itself: without a profiler it would not be.
inline bool is_profiler_overhead(OverheadRecord::Type type)
{
    return type == OverheadRecord::buffer_flush || type == OverheadRecord::instrumentation
        || type == OverheadRecord::resource || type == OverheadRecord::activity_buffer_request;
}

}  // namespace lanes
