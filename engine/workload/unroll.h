// SPDX-License-Identifier: MIT
// Steps -> instructions: loops unrolled, branches on parameters taken, parts put in where they are called.
#pragma once

#include "engine/workload/scope.h"

namespace lanes::syntax {

/// Fills the instructions of all threads of `program`, whose declared things are in `scope`; adds the reserved streams
/// and the graphs that are used. Throws WorkloadError, also for more than 4 M instructions, which a walk through the
/// loops alone counts first.
void unroll(Scope& scope, const Workload::Body& body, Program& program);

}  // namespace lanes::syntax
