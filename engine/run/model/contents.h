// SPDX-License-Identifier: MIT
// The effects of operations on buffers: as they begin and end on the GPU's time axis, or in the order of the calls.
#pragma once

#include "engine/run/model/core.h"
#include "engine/run/model/gpu_side.h"

namespace lanes::model {

/// The bytes of its buffer that a rank of the action writes, from the first to the last. None: 0 bytes.
struct Part {
    std::uint64_t offset, bytes;
};
Part written_by(const CollectiveAction& action, std::size_t rank, const Memory& memory);
/// What each rank writes there, computed from what all of them hold.
std::vector<Values> values_of_ranks(
    const CollectiveAction& action, const Memory& memory, const std::vector<Values>& state);

/// Puts `values` into all buffers that the operation writes.
void write(std::vector<Values>& state, const Memory& memory, const Operation& operation, const Values& values);

/// Updates the expected contents of buffers for an issued operation, or for each one of a graph.
void expect(Core& core, const GpuSide& gpus, const Operation& operation);

}  // namespace lanes::model
