// SPDX-License-Identifier: MIT
// One line about a recording, as the window writes it beside the title: did things
// overlap, or did the CPU stand and wait.
#pragma once

#include "engine/analysis/blocking.h"
#include "engine/analysis/messages.h"

namespace lanes {

struct Report;
struct RecordingBounds;

struct OverlapVerdict {
    enum class Kind : std::uint8_t {
        nothing,  ///< no GPU work in the range, or next to none
        blocking,  ///< a thread that had more to do stood waiting for half of the GPU's busy time or more
        overlapped,  ///< communication or copies are hidden by half or more, or streams ran side by side for a tenth of
                     ///< the busy time
        cpu_free,  ///< the GPU does one thing at a time, but the first thread goes on meanwhile
        serial,  ///< one thing at a time
    };
    Kind kind = Kind::nothing;
    Message message;  ///< "blocking: CPU waited 48.4 ms of 48.8 ms, copies hidden 0 %"
};

/// The verdict on `report`; Report::verdict is this. A wait after which the thread
/// issues nothing more and does no work is a wait for the result and not held against it.
/// Cost: linear in the blocked stretches of the range.
OverlapVerdict verdict_of(
    const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds, const Report& report);

}  // namespace lanes
