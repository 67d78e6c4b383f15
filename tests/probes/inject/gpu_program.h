// SPDX-License-Identifier: MIT
// The GPU work of tst_probe_gpu, in a separate process.
#pragma once

#include <string>

namespace lanes::gpu_program {

inline constexpr int kernels = 40;
inline constexpr int copies = 12;  ///< pinned, host to device, of copy_bytes each
inline constexpr int memsets = 5;
inline constexpr int waits = 7;  ///< event recorded on one stream, waited for on another
inline constexpr int ranges = 3;
inline constexpr unsigned long long copy_bytes = 1U << 20;

/// True where CUDA works.
bool is_there_a_gpu();

/// all: the above, then cudaDeviceSynchronize; reset: the same and cudaDeviceReset, then _exit; kill: the same,
/// then it waits to be killed; fault: the same, then a kernel that faults. Returns the exit code: 0 if CUDA gave
/// the results that the word implies.
int run(const std::string& word);

}  // namespace lanes::gpu_program
