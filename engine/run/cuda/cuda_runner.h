// SPDX-License-Identifier: MIT
// Runs a Program on a real GPU.
//
// Everything is prepared outside of the timed part: memory with its pages touched,
// streams, events, peers, communicators, module loading, calibration, one warm-up of
// every path. In the timed part the threads issue their calls and nothing else; the
// runner adds no synchronisation of its own. Afterwards it waits for the device, so
// that a profiler gets everything.
#pragma once

#include "engine/workload/program.h"
#include "probes/record_sink.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace lanes {

struct CudaRunFailure {
    int code;  ///< cudaError_t
    Index step;  ///< into Program::steps; no_id: outside of the steps
    std::string message;  ///< one line: the step, its place in the file and the CUDA error
};

struct CudaRunOptions {
    int gpu = 0;  ///< device that is the program's GPU 0; its others are those that follow
    int repeat = 1;  ///< how often the timed part runs; each one's records are in a window of their own
    /// Called from another thread with a fraction in [0, 1] and what is being done.
    std::function<void(double, const char*)> progress;
    /// Set by the caller at any time: the threads stop before their next step. No stop token: a signal handler sets it.
    const std::atomic<bool>* cancelled = nullptr;
    /// Called from another thread if a GPU waits for a failed one and cannot be stopped. The failure is in the sink
    /// then. It should end the process: run_on_cuda() will not return.
    std::function<void(const CudaRunFailure&)> abandon;
};

struct CudaRunResult {
    /// Of each repetition: from the first step to the idle device or the end of the last call, whichever is later, as
    /// Report::wall. If the last call of a thread waits for nothing, what the host does after it counts too.
    std::vector<Ns> wall;
    std::optional<CudaRunFailure> failure;
    bool cancelled = false;
};

/// Throws WorkloadError for what cannot run here (too few GPUs, too little memory), std::runtime_error (CudaError of
/// cuda_check.h where it is CUDA's) when the set-up fails or NCCL is wanted and absent. A failure of a step is in the
/// result and a record in `sink`.
CudaRunResult run_on_cuda(const Program& program, RecordSink& sink, const CudaRunOptions& options);

}  // namespace lanes
