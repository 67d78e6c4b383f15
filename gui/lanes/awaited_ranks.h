// SPDX-License-Identifier: MIT
// For whom the collectives of a rank waited, where the last rank to come has a recording of its own: what a job's
// summaries say and the rank's recording does not.
#pragma once

#include "engine/trace/trace.h"

#include <cstdint>
#include <unordered_map>

namespace lanes::gui {

struct AwaitedRank {
    Ns until = 0;  ///< the last rank came then, in the recording's time
    std::int64_t rank = -1;  ///< the number of that rank
};

/// By operation: those alone that waited for another rank, as far as the clocks can tell.
using AwaitedRanks = std::unordered_map<Row, AwaitedRank>;

}  // namespace lanes::gui
