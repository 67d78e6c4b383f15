// SPDX-License-Identifier: MIT
// Work of the host of one name that took now longer, now less, as copies of memory do, may take another time in the
// next run too; what always took as long will again. Private to engine/replay.
#pragma once

#include "engine/replay/script.h"

namespace lanes::replay {

/// Fills Item::varies. Cost: n log n in what the host did.
void find_varying_work(const Trace& trace, Script& script);

}  // namespace lanes::replay
