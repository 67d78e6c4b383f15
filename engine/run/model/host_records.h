// SPDX-License-Identifier: MIT
// Writes the records of a model run's CPU thread.
#pragma once

#include "engine/run/model/core.h"
#include "engine/run/model/operation.h"
#include "engine/run/model/staging_division.h"

#include <optional>
#include <string>

namespace lanes::model {

inline constexpr std::int32_t fault_code = 700;
inline constexpr std::int32_t refused_code = 900;
inline constexpr auto refused_text
    = "cudaErrorStreamCaptureUnsupported: operation not permitted when stream is capturing";
inline constexpr std::int32_t out_of_memory_code = 2;
inline constexpr auto out_of_memory_text = "cudaErrorMemoryAllocation: out of memory";
inline constexpr std::int32_t invalidated_code = 901;  ///< cudaErrorStreamCaptureInvalidated
inline constexpr auto fault_text = "cudaErrorIllegalAddress: an illegal memory access was encountered";

/// The CUDA calls of one thread: each is begun and ended, one at a time.
class CallLog {
public:
    struct Call {
        Ns start;
        std::uint32_t correlation;
        StringId name;
    };

    CallLog(Core& core, std::uint32_t thread)
        : m_core(core)
        , m_thread(thread)
    {
    }
    Call begin(const char* name);
    /// Notes for the run's truth that the present call waited from `start` until now.
    void waited(ModelTruth::Wait cause, Ns start, ModelTruth::Work for_what);
    /// `result`: of a call that fails by itself; after a fault all calls have the fault's code.
    void end(const Call& call, std::int32_t result = 0);
    /// Whether the host knew about a fault when a call ended.
    bool failed() const { return m_failed; }

private:
    Core& m_core;
    std::uint32_t m_thread;
    std::optional<ModelTruth::Waited> m_waited;  ///< the wait in the present call
    bool m_failed = false;
};

void record_host_span(
    Core& core, std::uint32_t thread, Interval span, HostSpanRecord::Type type, const std::string& name);

/// A step of the staging inside a pageable copy's call, for people to see: nothing waits for it.
void record_staging(Core& core, std::uint32_t thread, StagingPart part);
/// All steps of the staging, from `start` to `end`.
void record_staging(Core& core, std::uint32_t thread, CopyKind kind, double bytes, Ns start, Ns end);

/// What a call allocates or frees.
struct MemoryOfCall {
    std::uint64_t address, bytes;
    MemoryKind memory;
    std::uint32_t gpu;  ///< of host memory: 0
    std::uint32_t stream;  ///< as CUPTI would number it, if the call is ordered by one, else no_id
};
MemoryOfCall memory_of(const Program& program, Index buffer, std::uint32_t stream);
/// A segment of a GPU's caching allocator.
MemoryOfCall memory_of_segment(const Program& program, std::uint32_t gpu, std::uint32_t segment, std::uint64_t bytes);

void record_memory(Core& core, std::uint32_t correlation, const MemoryOfCall& memory, MemoryRecord::Operation what);

}  // namespace lanes::model
