// SPDX-License-Identifier: MIT
// What ended the run of a program early, on a GPU or on the model device; it is also an ErrorRecord in the records.
#pragma once

#include "engine/workload/program.h"

#include <cstdint>
#include <string>

namespace lanes {

struct RunFailure {
    std::int32_t code;  ///< cudaError_t; 0: not a CUDA error
    Index step;  ///< into Program::steps; no_id: outside the steps
    std::string message;  ///< one line: the step, its place in the file and the error
};

}  // namespace lanes
