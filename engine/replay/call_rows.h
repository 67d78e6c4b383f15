// SPDX-License-Identifier: MIT
// What each outermost API call did: the operations that it issued, its synchronisations, and the records of events and
// waits for them that it put on streams. Private to engine/replay.
#pragma once

#include "engine/replay/script.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanes::replay {

struct CallRows {
    std::vector<std::pair<Row, Row>> operations;  ///< (outermost call, operation), sorted
    std::vector<std::pair<Row, std::uint32_t>> syncs;  ///< (outermost call, place in Trace::syncs), sorted
    std::vector<std::pair<Row, Action>> actions;  ///< (outermost call, what it does), sorted by call
    std::unordered_map<std::uint32_t, std::uint32_t> waited;  ///< by place in Trace::syncs, the event waited for
    std::uint32_t events = 0;  ///< how many records of events there are
    std::vector<Row> before;  ///< operations whose calls were before the recording
    std::uint64_t orphans = 0;  ///< other operations without a call
};

/// Cost: n log n in operations, synchronisations and events.
CallRows rows_by_call(const Graph& graph);

/// Those of `call` in one of the sorted lists above, [first, last).
template <class T> auto rows_of(const std::vector<std::pair<Row, T>>& pairs, Row call)
{
    const auto first = std::lower_bound(
        pairs.begin(), pairs.end(), call, [](const std::pair<Row, T>& pair, Row row) { return pair.first < row; });
    auto last = first;
    while (last != pairs.end() && last->first == call) {
        ++last;
    }
    return std::pair(first, last);
}

}  // namespace lanes::replay
