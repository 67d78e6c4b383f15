// SPDX-License-Identifier: MIT
// What waited for a GPU operation: the operations that were issued before it ended and had to follow it on its stream;
// those after an event that was recorded after it; and the calls that, while it ran, were held until it or one of those
// was done, or, for an allocation, until its GPU was idle.
//
// Cost: linear in the blocked stretches and in the operations that followed it, times the logarithm of the latter.
#pragma once

#include "engine/analysis/recording.h"

#include <vector>

namespace lanes {

/// By table, then by row.
bool is_before(EventRef a, EventRef b);

/// In the order of is_before(), each once; empty for a row that is not in the table.
std::vector<EventRef> waiters_of(const Recording& recording, Row operation);

}  // namespace lanes
