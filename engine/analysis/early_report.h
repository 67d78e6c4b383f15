// SPDX-License-Identifier: MIT
// A report without its findings, for whoever shows the rest first: what the changes of findings gain is replayed, which
// takes many times as long as all else.
#pragma once

#include "engine/analysis/report.h"

namespace lanes {

/// As make_report(), with verdict and what waits cost, without findings. Cost: events in the range times log(streams).
Report make_early_report(
    const Waited& waited, const RecordingBounds& bounds, Interval range, const Progress& progress = {});

}  // namespace lanes
