// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/cuda_start.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <map>

namespace lanes {

namespace {

/// Calls of the runtime for which it makes the context if there is none. cuMemCreate and the like need none.
bool needs_context(std::string_view name, CallClass of)
{
    const bool acts = of == CallClass::memory || of == CallClass::copy || of == CallClass::copy_async
        || of == CallClass::device_sync || of == CallClass::stream_sync;
    return acts && (name.starts_with("cuda") || name.starts_with("hip"));
}

}  // namespace

std::vector<CudaStart> cuda_starts(const Trace& trace)
{
    std::vector<CudaStart> starts;
    if (trace.meta.contains(meta::workload)) {
        return starts;
    }
    // By process, until when a call may be the one: the first operation, or where its context is made already.
    std::map<std::uint32_t, Ns> until;
    for (const auto& thread : trace.threads) {
        until.try_emplace(thread.process, INT64_MAX);
    }
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        if (const auto rows = trace.operations_of(stream); !rows.empty()) {
            auto& of_process = until.try_emplace(trace.streams[stream].process, INT64_MAX).first->second;
            of_process = std::min(of_process, trace.operations.start[rows.begin]);
        }
    }
    Ns last = INT64_MIN;
    for (const auto& [process, time] : until) {
        last = std::max(last, time);
    }
    const auto& calls = trace.calls;
    const auto classes = call_classes(trace);
    for (Row call = 0; call < calls.size() && calls.start[call] < last; ++call) {
        const Row thread = calls.thread[call];
        if (thread == no_row || calls.outer[call] != no_row) {
            continue;
        }
        auto& first = until.at(trace.threads[thread].process);
        const auto name = trace.text(calls.name[call]);
        const Interval span {calls.start[call], std::min(calls.end[call], first)};
        if (span.start >= first) {
            continue;
        }
        const bool is_long = span.end - span.start > makes_context && !loads_code_itself(name);
        if (is_long) {
            starts.push_back({call, span});
        }
        if (is_long || needs_context(name, classes[calls.name[call]])) {
            first = INT64_MIN;  // the context is there
        }
    }
    return starts;
}

}  // namespace lanes
