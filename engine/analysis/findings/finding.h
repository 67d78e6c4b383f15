// SPDX-License-Identifier: MIT
// One thing that cost time, or that was wrong: findings.h has the rules.
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/trace/event_ref.h"
#include "engine/trace/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanes {

/// One thing that cost time, or that was wrong.
struct Finding {
    std::string rule;
    Ns cost = 0;
    /// What is gained instead where `advice` says "if": no record tells which of the two it is. Less or more than
    /// `cost`; the same where nothing is open.
    Ns otherwise = 0;
    std::uint64_t count = 0;
    Message title, advice;
    std::vector<EventRef> evidence;  ///< the longest first, at most 100
    std::uint64_t stale_bytes = 0;  ///< bytes that the host read too early; such a finding has no cost
};

}  // namespace lanes
