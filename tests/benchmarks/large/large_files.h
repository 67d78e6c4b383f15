// SPDX-License-Identifier: MIT
// Files of any size for the benchmarks, the same ones every time.
#pragma once

#include <cstddef>
#include <string>

namespace lanes {

/// A trace as PyTorch's profiler writes it: iterations of a training step, operators that nest, calls, kernels and
/// copies on two streams, flows; one event in three is a GPU's. About 300 bytes an event. Throws std::system_error.
void write_large_kineto(const std::string& path, std::size_t events);

/// A recording of kernels and copies on 20 streams, each with the call that issued it on one of 4 threads, which
/// sometimes wait.
void write_large_recording(const std::string& path, std::size_t operations);

}  // namespace lanes
