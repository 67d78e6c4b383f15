// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/record_ends.h"

#include "engine/analysis/facts/recorded_part.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace lanes {

namespace {

Ns last_of(const std::vector<Ns>& ends)
{
    const auto last = std::max_element(ends.begin(), ends.end());
    return last == ends.end() ? 0 : *last;
}

}  // namespace

bool is_complete(const Trace& trace)
{
    const auto parts = recorded_parts(trace);
    return std::none_of(parts.begin(), parts.end(), [](const auto& part) { return part.ended_by == "size"; })
        && trace.errors.empty() && meta::text_of(trace.meta, meta::complete) != "no"
        && !trace.meta.contains(meta::error) && !trace.meta.contains(meta::recovered)
        && !trace.meta.contains(meta::unflushed);
}

RecordEnds ends_of(const Trace& trace)
{
    RecordEnds ends {last_of(trace.calls.end), last_of(trace.operations.end)};
    const auto gpu = meta::text_of(trace.meta, meta::gpu_end_ns);
    std::from_chars(gpu.data(), gpu.data() + gpu.size(), ends.gpu);
    return ends;
}

}  // namespace lanes
