// SPDX-License-Identifier: MIT
// What bench_probe_flush has a GPU do.
#pragma once

#include <atomic>
#include <cstdint>

/// Shared between the recorded program, which writes it, and the benchmark.
struct Progress {
    std::atomic<std::int64_t> kernels_done;  ///< short kernels that the program knows to be complete
    std::atomic<std::int64_t> long_started_ns;  ///< CLOCK_REALTIME, 0: not yet
    std::atomic<std::int64_t> long_ended_ns;
};

/// Short kernels, one a millisecond, each waited for: for half a second alone, then beside a kernel of
/// `long_ms`, then for half a second alone again. `other_thread`: the long one is launched by another thread than
/// the short ones. Returns "" or what CUDA said.
const char* run_short_beside_long(Progress& progress, int long_ms, bool other_thread);
