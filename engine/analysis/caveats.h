// SPDX-License-Identifier: MIT
// What people must know of a recording before they trust its figures: that it was cut short or failed, and what was
// left out of it. `lanes report` and the window say the same.
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// "cut short: API calls up to 2 ms, GPU operations up to 1.25 ms; ..."; empty for a complete recording.
Message cut_short_message(const Trace& trace);

/// All caveats, the worst first. Cost: linear, as gpu_clock_late().
std::vector<Message> caveats_of(const Trace& trace);

/// "Nothing is recorded from 0 s to 5.12 s (75 %) ...", if one stretch of more than half of the recording has no call,
/// operation, host work or named range in it (ranges longer than that half do not count); else empty. Cost: linear.
Message unrecorded_message(const Trace& trace);

}  // namespace lanes
