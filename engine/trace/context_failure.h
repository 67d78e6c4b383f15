// SPDX-License-Identifier: MIT
// Errors after which a CUDA context runs nothing more.
#pragma once

#include <cstdint>

namespace lanes {

/// The name of such an error, "cudaErrorIllegalAddress"; null for every other result. cudaError_t and CUresult have the
/// same numbers for them (CUDA 13, driver_types.h: "leaves the process in an inconsistent state").
const char* context_failure_name(std::int32_t result);

}  // namespace lanes
