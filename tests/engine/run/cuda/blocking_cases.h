// SPDX-License-Identifier: MIT
// Small programs at the edges of what blocks a CPU thread, for tst_blocking_gpu. Each
// keeps a GPU busy, makes a few calls, and says how long these took.
#pragma once

#include <string>

namespace lanes::blocking_cases {

/// True where CUDA works.
bool is_there_a_gpu();

/// Runs the case and prints "call NS": what its call took by the host's clock, ns. What it measures is in an NVTX
/// range named "case". Returns the exit code: 0 if CUDA gave no error.
int run(const std::string& name);

}  // namespace lanes::blocking_cases
