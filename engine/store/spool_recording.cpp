// SPDX-License-Identifier: MIT
// A spool as a recording: what `lanes run` leaves while it runs, and when it is killed.
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_builder.h"
#include "probes/spool.h"

#include <algorithm>
#include <system_error>

namespace lanes {

Trace open_spool(const std::string& path, std::string* note, std::size_t repetition)
{
    TraceBuilder builder;
    builder.keep_repetition(repetition);
    SpoolEnd end;
    try {
        end = read_spool(path, [&](const SpoolChunk& chunk) { builder.take(chunk); });
    } catch (const std::system_error&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw StoreError(error.what());
    }
    auto trace = builder.finish(source_of(builder.meta_of(meta::source)));
    if (note != nullptr) {
        *note = end.note;
    }

    const bool cut_short = trace.meta.erase(meta::spool_end) == 0 || !end.note.empty() || end.lost_chunks > 0;
    if (cut_short || !trace.errors.empty()) {
        Ns gpu_end = 0;
        for (const auto operation_end : trace.operations.end) {
            gpu_end = std::max(gpu_end, operation_end);
        }
        trace.meta[meta::gpu_end_ns] = std::to_string(gpu_end);
    }
    if (cut_short) {
        trace.meta[meta::complete] = "no";
    }
    std::string lacks = end.note;
    if (end.lost_chunks > 0) {
        lacks += (lacks.empty() ? "" : "; ") + std::to_string(end.lost_chunks) + " chunks are missing";
    }
    if (!lacks.empty()) {
        trace.meta[meta::recovered] = lacks;
    }
    return trace;
}

}  // namespace lanes
