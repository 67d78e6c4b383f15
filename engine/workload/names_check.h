// SPDX-License-Identifier: MIT
// Names and units, checked before any value is known: every name that is used is declared, every expression
// has the dimension that its place takes, also in branches that no variant takes.
#pragma once

#include "engine/workload/syntax.h"

namespace lanes::syntax {

/// Throws WorkloadError for the first thing that is wrong. A part is checked where it is called, with the loop
/// variables known there. Cost: linear in the steps, times the places that call a part; more than a million steps are
/// refused.
void check_names(const Workload& workload, const Workload::Body& body);

}  // namespace lanes::syntax
