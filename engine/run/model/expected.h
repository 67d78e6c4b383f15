// SPDX-License-Identifier: MIT
// What the order of the calls says that the buffers will hold.
#pragma once

#include "engine/run/model/gpu_side.h"

namespace lanes::model {

/// Writes into Memory::expected what an operation will have written once it is done, as it is issued.
void expect(Core& core, const GpuSide& gpus, const Operation& operation);

}  // namespace lanes::model
