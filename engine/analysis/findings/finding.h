// SPDX-License-Identifier: MIT
// One thing that cost time, or that was wrong: findings.h has the rules.
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/replay/change.h"
#include "engine/trace/event_ref.h"
#include "engine/trace/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanes {

/// One thing that cost time, or that was wrong.
struct Finding {
    std::string rule;
    Ns cost = 0;  ///< at most this is gained without it
    /// What is gained instead where `advice` says "if": no record tells which of the two it is. Less or more than
    /// `cost`; the same where nothing is open.
    Ns otherwise = 0;
    std::uint64_t count = 0;
    Message title, advice;
    std::vector<EventRef> evidence;  ///< the longest first, at most 100
    /// What would be rid of it: the changes of `lanes whatif` that its command has, limited to what was found. Empty: a
    /// replay knows none.
    std::vector<replay::Change> changes;
    /// Changes of findings before it: `cost` is what both gain more than these alone. Empty: it is what `changes` gain
    /// alone.
    std::vector<replay::Change> on_top_of;
    /// Whether `cost` is what a replay with `changes` gains, as What if shows it. Else it is the most that it can be,
    /// from the record alone.
    bool is_replayed = false;
    std::uint64_t stale_bytes = 0;  ///< bytes that the host read too early; such a finding has no cost

    /// What `finding:` calls it: its rule, with a number where there are several of one.
    const std::string& key() const
    {
        return changes.empty() || changes.front().finding.empty() ? rule : changes.front().finding;
    }
};

}  // namespace lanes
