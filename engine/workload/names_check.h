// SPDX-License-Identifier: MIT
// Checks names and units before any value is known: every used name is declared, and every expression has the dimension
// that its key takes, also in branches that no variant takes.
#pragma once

#include "engine/workload/syntax.h"

namespace lanes::syntax {

/// Throws WorkloadError for the first error. A part is checked at each call, with the loop variables there. Cost:
/// linear in the steps, counting a part at each call; more than a million steps are an error.
void check_names(const Workload& workload, const Workload::Body& body);

}  // namespace lanes::syntax
