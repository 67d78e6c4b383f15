// SPDX-License-Identifier: MIT
// Gives a trace's streams the names that the workload calls them by.
//
// The runner knows its streams as handles, CUPTI as ids of its own. What joins them
// is the step: a thread's step says which instruction issued a call, the instruction
// which stream it meant, and the call's operation, synchronisation or event on which
// stream it arrived.
#pragma once

#include "engine/trace/trace.h"
#include "engine/workload/program.h"

namespace lanes {

/// Names every stream of `trace` that a step of `program` can be joined to and that has no name yet.
/// Cost: one binary search a call that has an operation.
void name_streams(Trace& trace, const Program& program);

}  // namespace lanes
