// SPDX-License-Identifier: MIT
// What keeps a recording from being replayed.
#pragma once

#include "engine/replay/whatif.h"

namespace lanes::replay {

/// The reasons that are known without looking at its events, such as that it is cut short. O(1).
std::vector<Message> reasons_at_sight(const Trace& trace);

/// These, and the reasons that its records give before any replay. Cost: linear in calls and copies.
std::vector<Message> reasons_of(const Graph& graph, const Script& script);

/// Replays the script unchanged with measured delays and with constants alone, and adds the results to `gate`. Returns
/// the former replay.
Replayed try_unchanged(Gate& gate, const Script& script);

}  // namespace lanes::replay
