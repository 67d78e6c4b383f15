// SPDX-License-Identifier: MIT
// A recording and all that was computed from it: what `lanes` prints and the window shows are figures of one of these,
// so that the two say the same.
//
// Made in one pass, on any thread; nothing in it changes, so threads share it. What was computed points into the trace,
// so whoever keeps one of the parts keeps the recording.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/figures/range_index.h"
#include "engine/analysis/graph/graph.h"
#include "engine/analysis/links.h"
#include "engine/analysis/report.h"
#include "engine/trace/trace.h"

#include <memory>

namespace lanes {

struct Recording {
    std::shared_ptr<const Trace> trace;  ///< never null
    std::shared_ptr<const Blocking> blocking;  ///< never null
    std::shared_ptr<const RangeIndex> ranges;  ///< figures of any range at once; null: not known yet
    std::shared_ptr<const Report>
        report;  ///< of the whole recording, or of the range that was asked for; null: not known yet
    std::shared_ptr<const Links> links = std::make_shared<Links>();  ///< never null
    std::shared_ptr<const Graph> graph;  ///< what waited for what; null: not known yet

    /// Computed, or predicted from another recording, not measured.
    bool is_model() const { return trace->source == Source::model || trace->source == Source::predicted; }
};

/// All of it, the report of the whole recording. Throws Cancelled. Cost: of find_blocking, RangeIndex, make_report,
/// Links, Graph.
Recording analysed(Trace trace, const Progress& progress = {});

/// For whoever drags no ranges and follows no links: blocking, and the report of `range`, else of the whole recording.
Recording reported(Trace trace, std::optional<Interval> range = {});

}  // namespace lanes
