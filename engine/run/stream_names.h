// SPDX-License-Identifier: MIT
// Names the streams of a trace as the workload does.
//
// The runner knows streams by handle, CUPTI by its own ids. They are joined through steps: the step of a call gives the
// instruction, the instruction gives the workload's stream, and the operation, synchronisation or event of the call
// gives CUPTI's id.
#pragma once

#include "engine/trace/trace.h"
#include "engine/workload/program.h"

namespace lanes {

/// Names every stream that has no name yet and that can be joined to a stream of `program`. Cost: one binary search for
/// each call with an operation.
void name_streams(Trace& trace, const Program& program);

}  // namespace lanes
