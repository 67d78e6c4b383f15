// SPDX-License-Identifier: MIT
// What a recording lacks because CUPTI refused to record it: an older or newer CUPTI, or missing rights.
#pragma once

#include "engine/analysis/words/messages.h"

#include <string_view>

namespace lanes {

/// From the text of meta::not_recorded: "CUPTI did not record memory operations, events"; empty for "". A name without
/// a sentence is shown as it is.
Message gaps_message(std::string_view not_recorded);

}  // namespace lanes
