// SPDX-License-Identifier: MIT
// What is not in a recording because CUPTI refused to record it: an older or newer one, or one without the rights.
#pragma once

#include "engine/analysis/words/messages.h"

#include <string_view>

namespace lanes {

/// Of the text of meta::not_recorded: "CUPTI did not record memory operations, events"; empty for "". A name without a
/// sentence of its own is shown as it is.
Message gaps_message(std::string_view not_recorded);

}  // namespace lanes
