// SPDX-License-Identifier: MIT
// What operations leave in buffers: as they begin and end on the GPU's time axis, or as the order of the calls says.
#pragma once

#include "engine/run/model/core.h"
#include "engine/run/model/gpu_side.h"

namespace lanes::model {

/// The sum of the ranks of an all-reduce.
double sum_of(const AllReduceAction& action, const std::vector<Values>& state);

/// Puts `values` into all that the operation writes.
void write(std::vector<Values>& state, const Memory& memory, const Operation& operation, const Values& values);

/// Follows an operation that is issued, or each one of a graph, in what buffers are expected to hold.
void expect(Core& core, const GpuSide& gpus, const Operation& operation);

}  // namespace lanes::model
