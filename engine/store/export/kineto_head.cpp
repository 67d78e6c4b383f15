// SPDX-License-Identifier: MIT
#include "engine/ascii.h"
#include "engine/store/export/export_text.h"
#include "engine/store/export/kineto_text.h"
#include "engine/store/own_head.h"
#include "engine/trace/json_string.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/ranks.h"

#include <algorithm>

namespace lanes {

namespace {

/// A version as Kineto writes it, a number, if the recording has it as one.
void write_version(const Trace& trace, TextFile& file, const char* name, const char* key)
{
    const auto found = trace.meta.find(key);
    if (found != trace.meta.end() && found->second.size() < 10 && ascii::is_all_digits(found->second)
        && found->second[0] != '0') {
        file << "  \"" << name << "\": " << found->second << ",\n";
    }
}

}  // namespace

void write_kineto_head(const Trace& trace, TextFile& file)
{
    file << "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [";
    const char* separator = "\n    ";
    for (const auto& d : trace.devices) {
        file << separator << "{\"id\": " << d.id << ", \"name\": " << json_string(trace.text(d.name))
             << ", \"totalGlobalMem\": " << static_cast<std::int64_t>(d.memory_bytes)
             << ", \"computeMajor\": " << d.compute_major << ", \"computeMinor\": " << d.compute_minor
             << ", \"warpSize\": 32, \"numSms\": " << d.multiprocessors << "}";
        separator = ",\n    ";
    }
    file << "\n  ],\n";
    write_version(trace, file, "cupti_version", meta::cupti_version);
    write_version(trace, file, "cuda_runtime_version", meta::runtime_version);
    write_version(trace, file, "cuda_driver_version", meta::driver_version);
    const auto ranks = ranks_of(trace);
    const auto rank = ranks.size() == 1 ? ranks.front() : Rank {0, 0, 1};
    file << "  \"distributedInfo\": {\"backend\": " << json_string(rank.world > 1 ? "nccl" : "none")
         << ", \"rank\": " << rank.rank << ", \"world_size\": " << std::max(rank.world, rank.rank + 1)
         << "},\n  \"lanescope\": ";
    write_own_head(trace, file);
    file << ",\n"
         << "  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": " << trace.origin << ",\n  \"traceEvents\": [";
}

}  // namespace lanes
