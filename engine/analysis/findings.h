// SPDX-License-Identifier: MIT
// What cost time, each with the figure that the record gives for it, the operations
// or calls that prove it, and advice. A finding is made only where the record shows
// the thing itself; its cost is what would at most be won.
//
// rule                  cost
// pageable-async-copy   time that threads were blocked in Async copies of pageable memory
// sync-after-small-copy GPU idle, at most as long as the wait, after waits for small D2H copies (.item())
// sync-in-loop          the same after any other wait for a stream or an event, three times or more
// device-wide-wait      the same after waits for a whole device
// wait-before-work      waits for a stream, an event or a device, at most as long as the host work that comes right
//                       after them, where no read of a result stands between
// copies-not-hidden     exposed time of copies that take turns with kernels of their own stream,
//                       at most the kernels' time that hides no copy yet
// default-stream        time in which operations stood back only because one of two was on the legacy default stream
// queue-full            time that threads were blocked by full launch queues
// blocked-CAUSE         time that one thread was blocked by that cause, where the findings above account for less than
//                       98 % of it
// stale-read            none: it is wrong, not slow. It comes before all others, with the bytes that were read too
// early
//
// A wait after which the thread issues nothing more is a wait for the result: it stands among the blocked time alone.
#pragma once

#include "engine/analysis/operation_figures.h"
#include "engine/analysis/report.h"

namespace lanes {

/// The findings of the report's range, the dearest first; none under 1 % of the wall time or 20 µs.
/// `blocking`, `bounds` and `report` must be those of `trace`, `devices` what measure_operations() says of the range.
/// Cost: linear in the blocked stretches of the range, and in the operations of the recording where copies were
/// exposed or where some stream is ordered with the legacy default stream.
std::vector<Finding> find_findings(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    const std::vector<DeviceBusy>& devices, const Report& report);

}  // namespace lanes
