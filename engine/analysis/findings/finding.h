// SPDX-License-Identifier: MIT
// One thing that cost time, or that was wrong: findings.h has the rules.
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/replay/change.h"
#include "engine/trace/event_ref.h"
#include "engine/trace/units.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace lanes {

/// One thing that cost time, or that was wrong.
struct Finding {
    std::string rule;
    Ns cost = 0;  ///< the most that the run gains without it
    /// The gain instead of `cost` in the other case of an `advice` that says "if": no record shows which case it is.
    /// May be less or more; equal where there is no "if".
    Ns otherwise = 0;
    std::uint64_t count = 0;
    Message title, advice;
    std::vector<EventRef> evidence;  ///< the longest first, at most 100
    /// What would avoid it: the changes of `lanes whatif` in its command, limited to what was found. Empty: there is no
    /// such change.
    std::vector<replay::Change> changes;
    /// Changes of earlier findings: `cost` is what `changes` gain on top of them. Empty: what `changes` gain alone.
    std::vector<replay::Change> on_top_of;
    /// Whether `cost` is what a replay with `changes` gains, as What if shows it. Else it is an upper bound from the
    /// records alone.
    bool is_replayed = false;
    bool is_once = false;  ///< of the start-up, or of what is outside the part that repeats: said after all others
    std::uint64_t stale_bytes = 0;  ///< bytes that the host read too early; such a finding has no cost

    /// Its name in `finding:`: its rule, with a number if several findings have that rule.
    const std::string& key() const
    {
        return changes.empty() || changes.front().finding.empty() ? rule : changes.front().finding;
    }
};

/// What What if may offer beside its own changes: those that findings name, limited to what was found, alone and not
/// as a mere bound.
inline std::vector<std::vector<replay::Change>> advised_by(const std::vector<Finding>& findings)
{
    std::vector<std::vector<replay::Change>> advised;
    for (const auto& finding : findings) {
        const bool is_limited = std::any_of(finding.changes.begin(), finding.changes.end(),
            [](const replay::Change& change) { return !change.finding.empty(); });
        const bool is_bound = std::any_of(finding.changes.begin(), finding.changes.end(),
            [](const replay::Change& change) { return change.kind == replay::ChangeKind::at_once; });
        if (is_limited && !is_bound && finding.on_top_of.empty()) {
            advised.push_back(finding.changes);
        }
    }
    return advised;
}

/// What is wrong comes first, then what repeats, then what is done once.
inline int rank_of(const Finding& finding)
{
    return finding.stale_bytes > 0 ? 0 : finding.is_once ? 2 : 1;
}
/// The order of a report's findings: by rank, then the dearest first.
inline bool comes_first(const Finding& a, const Finding& b)
{
    return rank_of(a) != rank_of(b) ? rank_of(a) < rank_of(b) : a.cost > b.cost;
}

}  // namespace lanes
