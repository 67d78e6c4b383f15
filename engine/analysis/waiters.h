// SPDX-License-Identifier: MIT
// What waited for a GPU operation: the operations that were issued before it ended and had to stand behind it on its
// stream; those behind an event that was recorded after it; and the calls that, while it ran, were held until it or one
// of those was done, or, in an allocation, until its GPU was idle.
//
// Cost: linear in the blocked stretches and in the operations that stood behind it, times the logarithm of these.
#pragma once

#include "engine/analysis/recording.h"

#include <vector>

namespace lanes {

/// By table, then by row.
bool is_before(EventRef a, EventRef b);

/// In that order, each once; empty for a row that is none.
std::vector<EventRef> waiters_of(const Recording& recording, Row operation);

}  // namespace lanes
