// SPDX-License-Identifier: MIT
// What cost time, each with the time that would be won without it, the operations or calls that prove it, and advice. A
// finding is made only where the record shows the thing itself.
//
// What each rule finds, and what that is measured without, is in docs/definitions.md; rules.cpp has the changes.
//
// The cost is what the rule's change (rules.h) gains in a replay, made to what was found alone: the gain that What if
// shows for it. For copies-after-kernels, communication-after-kernels, communication-late and first-operators, for
// launch-bound, starved and cpu-late where no change gains enough, and where a replay cannot tell or would take too
// long, it is what the record itself allows at most.
// A rule that gains nothing more once those before it, in this order, are mended is no finding; waits that gain nothing
// are tried once more after copies-not-hidden, for they may be what then sets the pace.
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/analysis/figures/report_figures.h"
#include "engine/analysis/findings/finding.h"
#include "engine/analysis/graph/wait_costs.h"
#include "engine/analysis/verdict/verdict.h"

namespace lanes {

/// The findings of the report's range, in the order of comes_first(); none under 1 % of the wall time or 20 µs.
/// `bounds` and `report` must be those of the graph's recording; `facts` those of the verdict, `gpu_busy` when any GPU
/// was busy in the range. A wait that cost nothing is no finding. Where blocked time is not known, only what is wrong
/// is found. Cost: linear in the recording, once for each rule that it may break, and in the range.
std::vector<Finding> find_findings(const Waited& waited, const RecordingBounds& bounds, const IntervalSet& gpu_busy,
    const VerdictFacts& facts, const ReportFigures& report);

/// What a replay gains without the waits of findings, all together: those that gain it without other changes.
Ns gain_without_waits(const std::vector<Finding>& findings);

}  // namespace lanes
