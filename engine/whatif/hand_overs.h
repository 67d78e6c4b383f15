// SPDX-License-Identifier: MIT
// Threads of programs hand work to one another by means that are not recorded (autograd): one that did nothing for
// long, and went on behind what another had done meanwhile, is taken to have waited for that. Private to engine/whatif.
#pragma once

#include "engine/whatif/script.h"

namespace lanes::whatif {

/// Fills Item::behind and counts Gaps::inferred. Processes whose hand-overs are recorded (queues, joins) are left as
/// they are. Cost: the items times the threads of their process.
void assume_hand_overs(const Trace& trace, Script& script);

}  // namespace lanes::whatif
