// SPDX-License-Identifier: MIT
// State that the parts of one model run share.
#pragma once

#include "engine/run/model/agenda.h"
#include "engine/run/model/memory.h"
#include "engine/run/model/model_device.h"
#include "engine/run/model/model_truth.h"
#include "engine/run/model/record_buffers.h"
#include "engine/workload/program.h"

namespace lanes::model {

inline constexpr std::uint32_t process_id = 1;
inline constexpr std::uint32_t null_stream_id = 7;  ///< as CUDA numbers it under CUPTI
inline constexpr std::uint32_t first_stream_id = 13;

struct Core {
    Core(const Program& program_, const ModelDevice& device_, RecordSink& sink, ModelTruth* truth_)
        : program(program_)
        , device(device_)
        , records(sink)
        , memory(program_)
        , truth(truth_)
    {
    }

    const Program& program;
    const ModelDevice& device;
    Agenda agenda;
    RecordBuffers records;
    Memory memory;
    ModelTruth* truth;  ///< null: not wanted
    ModelTruth::Work ending;  ///< the work whose end lets others go on at present
    Ns now = 0;
    std::uint32_t last_correlation = 0;
    std::uint32_t last_event_sync = 0;
    std::uint64_t last_number = 0;  ///< written by a kernel without a value
    std::uint64_t work = 0;  ///< events and steps of threads so far
    bool faulted = false;  ///< a kernel faulted: the GPUs stop
    bool reported = false;  ///< the host knows about it: every call fails, and no thread waits any more
    bool stopped = false;  ///< a thread has seen an error: all stop
    Ns gpu_end = 0;  ///< last end of an operation
};

/// ns that `bytes` take at `rate` bytes/s.
inline double time_of(double bytes, double rate)
{
    return bytes / rate * 1e9;
}

}  // namespace lanes::model
