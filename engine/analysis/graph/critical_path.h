// SPDX-License-Identifier: MIT
// The critical path of a recording or a range: the way back from what ends last, through what each thing waited for
// last. A run is only faster if part of this is faster or not waited for.
#pragma once

#include "engine/analysis/graph/path.h"

#include <array>
#include <optional>
#include <vector>

namespace lanes {

struct CriticalPath {
    Interval range {0, 0};  ///< of the path: from the start of the requested range to the last end in it
    std::vector<PathPart> parts;  ///< backwards; their lengths add up to the range's
    std::array<Ns, path_kinds> by_kind {};  ///< by PathPart::Kind; these add up to it, too
    Ns unexplained
        = 0;  ///< what is unknown, and what steps took beyond 20 µs, counted for a launch from its call's end

    struct LaneShare {
        bool is_stream;
        Row lane;  ///< into Trace::streams or threads
        Ns time;  ///< of operations; of calls, host work and hand-overs
        std::optional<Ns> slack;  ///< of a stream: the least by which one of its operations could have ended later
    };
    std::vector<LaneShare> lanes;  ///< the largest first; then streams with work in the range that are not on it
    struct NameShare {
        EventTable table;  ///< operations, calls, host spans, reads or ranges
        StringId name;  ///< of ranges as ThreadRanges::name_of() has it; shown_name() is for people
        Ns time;
        std::uint64_t count;  ///< of events, not of parts
        std::optional<Ns> slack;  ///< of operations, as of a stream
    };
    std::vector<NameShare> names;  ///< the largest first; then operations of the range that are not on it
    std::vector<Ns> slack;  ///< by operation of the recording: how much later it could have ended, see slack.h

    Ns of(PathPart::Kind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
};

/// Of what lies in `range`. Cost: that of find_slack(), one look at each operation of the recording, and log n for each
/// part.
CriticalPath critical_path(const Graph& graph, Interval range);

}  // namespace lanes
