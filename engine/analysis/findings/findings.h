// SPDX-License-Identifier: MIT
// What cost time, each with the time that would be won without it, the operations or calls that prove it, and advice. A
// finding is made only where the record shows the thing itself.
//
// What each rule finds, and what that is measured without, is in docs/definitions.md; rules.cpp has the changes.
//
// The cost is what the rule's change (rules.h) gains in a replay, made to what was found alone: the gain that What if
// shows for it. For copies-after-kernels, communication-after-kernels, communication-late, launch-bound, starved and
// first-operators, and where a replay cannot tell or would take too long, it is what the record itself allows at most.
// A rule that gains nothing more once those before it, in this order, are mended is no finding; waits that gain nothing
// are tried once more after copies-not-hidden, for they may be what then sets the pace.
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/analysis/figures/report_figures.h"
#include "engine/analysis/findings/finding.h"
#include "engine/analysis/verdict/verdict.h"

namespace lanes {

class Graph;

/// The findings of the report's range, what is wrong first, then the dearest; none under 1 % of the wall time or 20 µs.
/// `blocking`, `bounds` and `report` must be those of `trace`; `facts` those of the verdict, `gpu_busy` when any GPU
/// was busy in the range. Where blocked time is not known, only what is wrong is found.
/// Cost: linear in the recording, once for each rule that it may break, and in the range.
std::vector<Finding> find_findings(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    const IntervalSet& gpu_busy, const VerdictFacts& facts, const ReportFigures& report, const Graph* graph = nullptr);

}  // namespace lanes
