// SPDX-License-Identifier: MIT
// A trace with everything computed from it. Both `lanes` and the window take their figures from here, so they agree.
//
// It is made in one pass on any thread and not changed afterwards, so threads may share it. The parts point into the
// trace: to keep a part, keep the recording.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/figures/range_index.h"
#include "engine/analysis/graph/graph.h"
#include "engine/analysis/graph/links.h"
#include "engine/analysis/report.h"
#include "engine/trace/trace.h"

#include <memory>

namespace lanes {

struct Recording {
    std::shared_ptr<const Trace> trace;  ///< never null
    std::shared_ptr<const Blocking> blocking;  ///< never null
    std::shared_ptr<const RangeIndex> ranges;  ///< for figures of any range at once; null: not computed yet
    std::shared_ptr<const Report> report;  ///< of the whole recording or of the requested range; null: not computed yet
    std::shared_ptr<const Links> links = std::make_shared<Links>();  ///< never null
    std::shared_ptr<const Graph> graph;  ///< what waited for what; null: not computed yet
    std::shared_ptr<const WaitCosts> waits;  ///< which waits cost time; null: not computed yet

    /// Whether it was not measured: computed by the model device, or predicted from another recording.
    bool is_model() const { return trace->source == Source::model || trace->source == Source::predicted; }
};

/// Computes all parts, with the report of the whole recording. Throws Cancelled. Cost: that of find_blocking(),
/// RangeIndex, make_report(), Links, Graph and find_wait_costs().
Recording analysed(Trace trace, const Progress& progress = {});

/// Computes all but ranges and links, with the report of `range` or else of the whole recording.
Recording reported(Trace trace, std::optional<Interval> range = {});

}  // namespace lanes
