// SPDX-License-Identifier: MIT
// A spool as a recording: what `lanes run` leaves while it runs, and when it is killed.
#include "engine/trace/meta_keys.h"
#include "engine/store/recording_file.h"
#include "engine/trace/trace_builder.h"
#include "probes/spool.h"

#include <algorithm>
#include <system_error>

namespace lanes {

namespace {

std::string milliseconds(Ns time)
{
    const auto microseconds = std::to_string((time % 1'000'000) / 1000);
    return std::to_string(time / 1'000'000) + "." + std::string(3 - std::min<std::size_t>(3, microseconds.size()), '0')
           + microseconds + " ms";
}

}  // namespace

Trace open_spool(const std::string& path, std::string* note)
{
    TraceBuilder builder;
    SpoolEnd end;
    bool begun = false;
    bool finished = false;
    try {
        end = read_spool(path, [&](const SpoolChunk& chunk) {
            for (const auto& window : records_of<WindowRecord>(chunk)) {
                (window.edge == WindowRecord::begin ? begun : finished) = true;
            }
            builder.take(chunk);
        });
    } catch (const std::system_error&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw StoreError(error.what());
    }
    auto trace = builder.finish(source_of(builder.meta_of(meta::source), Source::cupti));
    if (note != nullptr) {
        *note = end.note;
    }

    const bool cut_short = begun && !finished;
    if (cut_short || !end.note.empty() || end.lost_chunks > 0 || !trace.errors.empty()) {
        Ns gpu_end = 0;
        for (const auto operation_end : trace.operations.end) {
            gpu_end = std::max(gpu_end, operation_end);
        }
        trace.meta[meta::gpu_end_ns] = std::to_string(gpu_end);
        std::string lacks;
        if (cut_short) {
            Ns call_end = 0;
            for (const auto call : trace.calls.end) {
                call_end = std::max(call_end, call);
            }
            lacks = "the run was cut short: API calls up to " + milliseconds(call_end) + ", GPU operations up to "
                    + milliseconds(gpu_end);
        }
        if (end.lost_chunks > 0) {
            lacks += (lacks.empty() ? "" : "; ") + std::to_string(end.lost_chunks) + " chunks are missing";
        }
        if (!end.note.empty()) {
            lacks += (lacks.empty() ? "" : "; ") + end.note;
        }
        if (!lacks.empty()) {
            trace.meta[meta::recovered] = lacks;
        }
    }
    return trace;
}

}  // namespace lanes
