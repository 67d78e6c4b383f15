// SPDX-License-Identifier: MIT
// Threads hand work to one another by means that are not recorded (autograd): a thread that did nothing for long, and
// went on after something that another had done meanwhile, is taken to have waited for that. Private to engine/replay.
#pragma once

#include "engine/replay/script.h"

namespace lanes::replay {

/// Fills Item::behind and counts Gaps::inferred. Processes whose hand-overs are recorded (queues, joins) are left as
/// they are. Cost: the items times the threads of their process.
void assume_hand_overs(const Trace& trace, Script& script);

}  // namespace lanes::replay
