// SPDX-License-Identifier: MIT
// The critical path of a recording or a range: the path back from what ends last, through what each event waited for
// last. The run gets faster only if something on this path gets faster or is no longer waited for.
#pragma once

#include "engine/analysis/graph/path.h"

#include <array>
#include <optional>
#include <vector>

namespace lanes {

struct CriticalPath {
    Interval range {0, 0};  ///< from the start of the requested range to the last end in it
    std::vector<PathPart> parts;  ///< backwards in time; their lengths add up to that of the range
    std::array<Ns, path_kinds> by_kind {};  ///< sums by PathPart::Kind
    Ns unexplained = 0;  ///< unknown parts, and what steps took beyond 20 µs (of a launch, after the end of its call)

    struct LaneShare {
        bool is_stream;
        Row lane;  ///< into Trace::streams or threads
        Ns time;  ///< of operations on a stream; of calls, host work and hand-overs on a thread
        std::optional<Ns> slack;  ///< of a stream: the smallest slack of its operations
    };
    /// By time, largest first; then streams with work in the range that are not on the path.
    std::vector<LaneShare> lanes;
    struct NameShare {
        EventTable table;  ///< operations, calls, host spans, reads or ranges
        StringId name;  ///< of a range, ThreadRanges::name_of(); shown_name() is for display
        Ns time;
        std::uint64_t count;  ///< of events, not of parts
        std::optional<Ns> slack;  ///< of operations, as above
    };
    std::vector<NameShare> names;  ///< by time, largest first; then operations in the range that are not on the path
    std::vector<Ns> slack;  ///< by operation of the recording, see slack.h

    Ns of(PathPart::Kind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
};

/// Cost: that of find_slack(), linear in the operations of the recording, and log n for each part.
CriticalPath critical_path(const Graph& graph, Interval range);

}  // namespace lanes
