// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/cuda_start.h"

#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <map>

namespace lanes {

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
    for (Row call = 0; call < calls.size() && calls.start[call] < last; ++call) {
        const Row thread = calls.thread[call];
        if (thread == no_row || calls.outer[call] != no_row) {
            continue;
        }
        auto& first = until.at(trace.threads[thread].process);
        const Ns end = std::min(calls.end[call], first);
        if (end - calls.start[call] > makes_context) {
            starts.push_back({call, {calls.start[call], end}});
            first = INT64_MIN;
        }
    }
    return starts;
}

}  // namespace lanes
