// SPDX-License-Identifier: MIT
// `lanes report --brief`: what one pastes into an issue, at most 4 kB.
#pragma once

#include "engine/analysis/recording.h"
#include "engine/analysis/words/messages.h"

#include <string>

namespace lanes {

/// The verdict, the main figures, the part that repeats, three findings, the three changes that gain most, and what
/// must be known before the figures are trusted. `part`: the range that was asked for. Cost: that of WhatIf::offers().
std::string brief_text(
    const Recording& recording, const Graph& graph, std::optional<Interval> part, const Messages& messages);
/// The same as JSON, one line without its end.
std::string brief_json(
    const Recording& recording, const Graph& graph, std::optional<Interval> part, const Messages& messages);

}  // namespace lanes
