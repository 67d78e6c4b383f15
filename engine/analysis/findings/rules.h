// SPDX-License-Identifier: MIT
// Which changes are rid of what a rule finds.
#pragma once

#include "engine/replay/change.h"

#include <span>
#include <string_view>
#include <vector>

namespace lanes {

struct FindingRule {
    std::string_view rule;
    /// Alternatives, the most usual first: a finding costs what the first of them gains that gains enough to be one.
    /// Empty: a replay knows none; the text finding.no_change.`why_none` says why.
    std::vector<std::vector<replay::ChangeKind>> changes;
    std::string_view why_none = {};
    bool moves_work = false;  ///< to other streams: how busy a stream was says nothing of the gain
    /// What it finds is done once: said last.
    bool is_start_up = false;
    /// That a GPU was idle: of a whole run that is mostly its start-up, and not said where a part repeats.
    bool is_idle = false;
    bool is_wait = false;  ///< that threads waited, whatever they waited for
};

/// One for each rule, and one for each cause of blocked-CAUSE.
std::span<const FindingRule> finding_rules();
/// Of a rule that is not among them, one without changes.
const FindingRule& rule_of(std::string_view rule);

}  // namespace lanes
