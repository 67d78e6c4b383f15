// SPDX-License-Identifier: MIT
// What calls of a recording that was cut out of a longer one waited for. Some of that is outside of it: the work before
// its begin that a call waited for, the launches by which a process is known to wait in all of them. So the longer
// recording's answer is kept (meta::cut_waits) wherever the cut one would give another.
//
// Lines of words, times in ns of the cut recording:
//   known 0|1                                    Blocking::known
//   thread PROCESS ID MASK                       Blocking::unknown of a thread
//   call PROCESS ID START END CORRELATION COUNT  a call, with as many lines after it as it has stretches:
//   wait START END CAUSE                         not released by an operation that is recorded
//   wait START END CAUSE DEVICE CONTEXT STREAM OPERATION-START
#pragma once

#include "engine/analysis/blocking/blocking.h"

#include <string>

namespace lanes {

inline constexpr std::size_t most_cut_waits = 4'000'000;

/// The lines for `cut`, which is `range` of `whole`; "" if both say the same. A stretch whose call is not in the range
/// becomes one of a call of its thread; where there is none, the thread's figures are unknown. So are those of all
/// threads if the lines would take more than `most` bytes: a recording holds texts of limited length. Cost: n log n in
/// the blocked calls.
std::string cut_waits(const Trace& whole, const Blocking& of_whole, Interval range, const Trace& cut,
    const Blocking& of_cut, std::size_t most = most_cut_waits);

/// Replaces what the trace's meta::cut_waits names. Lines that no version wrote and calls that are not there are left
/// out: the file may come from anywhere. Cost: log n for each line, and that of sorting all stretches.
void take_cut_waits(const Trace& trace, Blocking& blocking);

}  // namespace lanes
