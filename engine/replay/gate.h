// SPDX-License-Identifier: MIT
// What of a recording keeps it from being replayed.
#pragma once

#include "engine/replay/whatif.h"

namespace lanes::replay {

/// Those that are known without looking at its events: it is cut short, say. O(1).
std::vector<Message> reasons_at_sight(const Trace& trace);

/// The reasons that its records give, before any replay, with those. Cost: linear in calls and copies.
std::vector<Message> reasons_of(const Graph& graph, const Script& script);

/// Replays it unchanged with measured delays and with constants alone, and adds what they say. The former is returned.
Replayed try_unchanged(Gate& gate, const Script& script);

}  // namespace lanes::replay
