// SPDX-License-Identifier: MIT
// Runs a Program on a real GPU.
//
// Everything is prepared outside the timed part: memory with its pages touched,
// streams, events, peers, communicators, module loading, calibration, one warm-up of
// every path. In the timed part the threads only issue their calls; the runner adds no synchronisation. Afterwards it
// waits for the device, so that a profiler gets everything.
#pragma once

#include "engine/workload/program.h"
#include "engine/workload/run_failure.h"
#include "probes/record_sink.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace lanes {

struct CudaRunOptions {
    int gpu = 0;  ///< the device that is the program's GPU 0; its other GPUs are the next ones
    int repeat = 1;  ///< how often the timed part runs; each run has a window with its records
    /// Called from another thread with a fraction in [0, 1] and what is being done.
    std::function<void(double, const char*)> progress;
    /// Set by the caller at any time: the threads stop before their next step. No stop token: a signal handler sets it.
    const std::atomic<bool>* cancelled = nullptr;
    /// Called from another thread if a GPU waits for a failed one and cannot be stopped. The failure is in the sink
    /// then. It should end the process: run_on_cuda() will not return.
    std::function<void(const RunFailure&)> abandon;
};

struct CudaRunResult {
    /// By repetition: from the first step to the idle device or the end of the last call, whichever is later, as
    /// Report::wall. If the last call of a thread waits for nothing, the host's work after it counts, too.
    std::vector<Ns> wall;
    std::optional<RunFailure> failure;
    bool cancelled = false;
};

/// Throws WorkloadError for a program that cannot run here (too few GPUs, too little memory), std::runtime_error (for
/// CUDA's errors, CudaError of cuda_check.h) if the set-up fails or NCCL is needed and absent. A failure of a step is
/// in the result and a record in `sink`.
CudaRunResult run_on_cuda(const Program& program, RecordSink& sink, const CudaRunOptions& options);

}  // namespace lanes
