// SPDX-License-Identifier: MIT
// Measures the facts from which the verdict on a range is made.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/figures/operation_figures.h"
#include "engine/analysis/figures/report_figures.h"
#include "engine/analysis/figures/thread_ranges.h"
#include "engine/analysis/verdict/verdict.h"

#include <vector>

namespace lanes {

/// `report` has its figures already, `gpus` are what they were made of, `free` is the time whose length is
/// Report::cpu_free, `blocked` by thread when it was blocked in the range. Cost: the calls, host spans and reads of the
/// range, times log(those that go on at once).
VerdictFacts verdict_facts(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    const OperationFigures& gpus, const IntervalSet& free, const std::vector<IntervalSet>& blocked,
    const ThreadRanges& ranges, const ReportFigures& report);

}  // namespace lanes
