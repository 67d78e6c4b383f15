// SPDX-License-Identifier: MIT
// Overlap and why not, as reports print it: how near a range is to the best that its operations allow, what could have
// run side by side, and why streams were idle.
#pragma once

#include "engine/analysis/graph/missed_overlap.h"
#include "engine/analysis/words/messages.h"

#include <string>

namespace lanes {

class JsonWriter;

/// All three of one range.
struct WhyNot {
    WhyNot(const Graph& graph, Interval range);
    IdleReasons idle;
    MissedOverlap missed;
    BestTime best;
};

/// "D2H copies of GPU 0": the busiest engine. Empty if none was busy.
Message engine_message(const BestTime& best);

/// As `lanes report` prints it, or with the longest pairs and the longest idle times (`lanes why --overlap`). "" where
/// there are no operations.
std::string why_not_text(const Graph& graph, const WhyNot& why_not, const Messages& messages, bool with_examples);
/// The keys "best", "missed_overlap" and "idle" of an object.
void write_why_not(JsonWriter& json, const Graph& graph, const WhyNot& why_not);

}  // namespace lanes
