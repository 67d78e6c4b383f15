// SPDX-License-Identifier: MIT
// The calls of two workloads as somebody would write them: a loop over the CUDA
// runtime, with the runner's own kernels, so that the GPU's part is the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanes::by_hand {

/// A workload of bench_run_overhead, as YAML and by hand.
struct Case {
    std::string name;
    std::string yaml;
};
const std::vector<Case>& cases();

/// Runs the case that often on GPU 0; ns from the first call to the idle device, one a repetition.
/// Throws std::runtime_error when CUDA fails.
std::vector<std::int64_t> run(const std::string& name, int repeat);

}  // namespace lanes::by_hand
