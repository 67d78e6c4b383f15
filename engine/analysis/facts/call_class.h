// SPDX-License-Identifier: MIT
// The kind of a CUDA (or HIP) call by its name: which calls synchronise, which allocate. The name says what a call may
// wait for, never that it waited.
#pragma once

#include "engine/trace/trace.h"

#include <string_view>
#include <vector>

namespace lanes {

enum class CallClass : std::uint8_t {
    other,
    stream_sync,  ///< waits for one stream
    device_sync,  ///< waits for a context
    event_sync,  ///< waits for an event
    query,  ///< asks whether a stream or an event is done, and never waits
    own_state,  ///< looks at or sets what belongs to the calling thread: its last error, its device
    wait_event,  ///< a stream waits for an event
    event_record,
    copy,  ///< cudaMemcpy and its variants
    copy_async,  ///< cudaMemcpyAsync and its variants
    memory,  ///< allocates, frees, pins or unpins
    graph_launch,
    hidden_work,  ///< puts work into a stream that may have no record: a host function, a prefetch
};

/// `name` with or without a version (cuCtxSynchronize_v2); _ptsz and _ptds variants are the same call.
CallClass class_of(std::string_view name);

/// The classes of all of a trace's texts, by StringId. Cost: linear in the names of calls.
std::vector<CallClass> call_classes(const Trace& trace);

/// Whether a call loads code, compiles or links it (cuLibraryLoadData, cuModuleLoadDataEx, cuLinkComplete).
bool loads_code_itself(std::string_view name);

/// Whether a call begins or ends the capture of a CUDA graph by a stream: what is issued between does not run.
enum class CaptureEdge : std::uint8_t { none, begin, end };
/// By StringId, as call_classes().
std::vector<CaptureEdge> capture_edges(const Trace& trace);

/// Whether a call only returns facts about a device, a module or a function (cudaGetDeviceCount,
/// cuDeviceGetAttribute, cuModuleGetLoadingMode).
bool only_asks(std::string_view name);

/// Whether a call issues kernels, copies or memsets: cudaLaunchKernel, hipExtModuleLaunchKernel, cuGraphLaunch,
/// cudaMemcpyAsync, urEnqueueKernelLaunch.
bool issues_operation(std::string_view name);

/// The outermost call around `call`: itself where no runtime call made it; no_row stays no_row.
inline Row outermost(const CallTable& calls, Row call)
{
    while (call != no_row && calls.outer[call] != no_row) {
        call = calls.outer[call];
    }
    return call;
}

}  // namespace lanes
