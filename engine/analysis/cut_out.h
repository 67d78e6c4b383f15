// SPDX-License-Identifier: MIT
// Cuts a part out of a recording, as a recording of its own: `lanes convert --range`.
#pragma once

#include "engine/trace/trace.h"
#include "engine/trace/units.h"

#include <vector>

namespace lanes {

/// All that touches `range`, ns of `whole`, cut at its ends; t = 0 is its start. Its figures are those that
/// make_figures() gives for the range: what its calls waited for is kept where that was outside (cut_waits.h), and
/// meta::cut says what was cut. An operation whose call ended before the range has none. Findings, verdict and what
/// waits cost are found anew, from the part alone; so are iterations. Threads that did nothing in the range, and
/// streams on which nothing ran, may be missing.
///
/// The range is what make_figures() makes of it: within the recording, and not empty. Cost: that of find_blocking() of
/// both, and of sorting what is kept. `marks`: instead of those of the trace.
Trace cut_out(const Trace& whole, Interval range, const std::vector<UserMark>* marks = nullptr);

}  // namespace lanes
