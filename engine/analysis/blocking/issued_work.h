// SPDX-License-Identifier: MIT
// What each call put into streams, as far as it decides whether the call waits for it.
#pragma once

#include "engine/analysis/facts/call_class.h"
#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// What an outermost call issued itself.
struct Issued {
    Row own = no_row;  ///< the last of its copies and memsets that the host waits for: synchronous or pageable, or
                       ///< of unknown host memory and longer than an ordinary call, which was held until its end
    Row stream = no_row;  ///< of any of its work
    bool pageable = false;
    bool any = false;
};

/// By call, filled for outermost ones. `classes` are call_classes(trace), `late` is gpu_clock_late(trace). Cost:
/// linear, 16 bytes a call.
std::vector<Issued> issued_work(const Trace& trace, const std::vector<CallClass>& classes, Ns late);

}  // namespace lanes
