// SPDX-License-Identifier: MIT
// Runs a Program on a model device: a discrete-event model of the CPU threads, the
// streams, the copy engines, the multiprocessors, the launch queue and the staging of
// pageable memory, which yields the records that CUPTI and the CUDA runner would.
//
// The same program and constants give the same records, byte for byte. The axis
// starts at 0; process 1 has threads 1 … n; contexts are numbered from 1, streams as
// CUDA does (7: the null stream, 13 … those that were created).
// Cost: about a microsecond an operation.
#pragma once

#include "engine/run/model/model_device.h"
#include "engine/run/model/model_truth.h"
#include "engine/trace/progress.h"
#include "engine/workload/program.h"
#include "engine/workload/run_failure.h"
#include "probes/record_sink.h"

#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace lanes {

struct ModelOptions {
    Progress progress = {};  ///< if it is cancelled, the run ends and keeps its records
    Ns most_time = std::numeric_limits<Ns>::max();  ///< of the model's axis; beyond it the run fails
    ModelTruth* truth = nullptr;  ///< gets the reasons for all times; null: not wanted
};

struct ModelOutcome {
    bool cancelled = false;
    std::optional<RunFailure> error;
    Ns wall = 0;  ///< from the first step's start to the last thread's end
    Ns gpu_end = 0;  ///< last end of an operation
};

/// Throws WorkloadError if the program needs more GPUs than the model device has, or more memory of one.
void check_fits(const Program& program, const ModelDevice& device);

/// Yields the records of `program` to `sink`, the descriptions first. Throws what check_fits() and the sink throw.
ModelOutcome run_model(
    const Program& program, const ModelDevice& device, RecordSink& sink, const ModelOptions& options = {});

/// Writes what is known before a model run begins, so that the spool of a killed one can be identified: source, device,
/// model_device, workload and variant. `device_name` is that of the device's file, such as "h100".
void write_model_meta(const Program& program, const std::string& device_name, RecordSink& sink);

/// Writes what is known at its end: error and gpu_end_ns after a failed run.
void write_model_outcome(const ModelOutcome& outcome, RecordSink& sink);

}  // namespace lanes
