// SPDX-License-Identifier: MIT
// Finds work of the host whose time varies from one time to the next, as with copies of memory: it may take another
// time in the next run, too. Work that always took the same time will do so again. Private to engine/replay.
#pragma once

#include "engine/replay/script.h"

namespace lanes::replay {

/// Fills Item::varies. Cost: n log n in what the host did.
void find_varying_work(const Trace& trace, Script& script);

}  // namespace lanes::replay
