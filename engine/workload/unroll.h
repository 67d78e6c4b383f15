// SPDX-License-Identifier: MIT
// Turns steps into instructions: unrolls loops, takes branches on parameters, inserts parts where they are called.
#pragma once

#include "engine/workload/scope.h"

namespace lanes::syntax {

/// Fills the instructions of all threads of `program`, whose declared things are in `scope`, and adds the used graphs
/// and reserved streams. Throws WorkloadError, also for more than 4 M instructions; these are counted first, so no
/// memory is allocated for them.
void unroll(Scope& scope, const Workload::Body& body, Program& program);

}  // namespace lanes::syntax
