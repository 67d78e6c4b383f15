// SPDX-License-Identifier: MIT
// Reads a spool as a recording: `lanes run` writes it while it runs, and leaves it when it is killed.
#include "engine/store/recording_file.h"
#include "engine/store/spool_parts.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_builder.h"
#include "probes/spool.h"

#include <algorithm>
#include <system_error>

namespace lanes {

namespace {

SpoolEnd read(const std::string& path, const std::function<void(const SpoolChunk&)>& take)
{
    try {
        return read_spool(path, take);
    } catch (const std::system_error&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw StoreError(error.what());
    }
}

/// The process of each writer that is a probe: a probe first says what it records, or why it does not.
std::map<std::uint32_t, std::uint32_t> writers_of(const std::string& path)
{
    std::map<std::uint32_t, std::uint32_t> processes;
    read(path, [&](const SpoolChunk& chunk) {
        for (const auto& record : records_of<ProcessRecord>(chunk)) {
            processes.try_emplace(chunk.writer, record.process);
        }
        for (const auto& record : records_of<ErrorRecord>(chunk)) {
            processes.try_emplace(chunk.writer, record.process);
        }
    });
    return processes;
}

}  // namespace

std::map<std::uint32_t, std::string> processes_of_spool(const std::string& path)
{
    std::map<std::uint32_t, std::string> ranks;
    for (const auto& [writer, process] : writers_of(path)) {
        ranks[process];
    }
    read(path, [&](const SpoolChunk& chunk) {
        for (const auto& [key, value] : meta_of(chunk)) {
            for (auto& [process, rank] : ranks) {
                if (key == meta::rank_of(process)) {
                    rank = value;
                }
            }
        }
    });
    return ranks;
}

std::vector<SpoolPartOfAll> parts_of_spool(const std::string& path)
{
    SpoolParts parts;
    read(path, [&](const SpoolChunk& chunk) { parts.take(chunk); });
    return parts.all();
}

Trace open_spool(const std::string& path, std::string* note, const SpoolPart& part)
{
    TraceBuilder builder;
    builder.keep_repetition(part.repetition);
    if (part.cut) {
        builder.keep_part(*part.cut);
    }
    if (part.recorded) {
        builder.keep_recorded(*part.recorded);
    }
    std::set<std::uint32_t> others;
    if (part.processes != nullptr) {
        for (const auto& [writer, process] : writers_of(path)) {
            if (!part.processes->contains(process)) {
                others.insert(writer);
            }
        }
    }
    const SpoolEnd end = read(path, [&](const SpoolChunk& chunk) {
        if (!others.contains(chunk.writer)) {
            builder.take(chunk);
        }
    });
    auto trace = builder.finish(source_of(builder.meta_of(meta::source)));
    if (note != nullptr) {
        *note = end.note;
    }

    trace.meta.erase(meta::spool_begin);
    const bool is_own = trace.meta.erase(meta::own_spool) > 0;
    const bool has_ended
        = part.is_whole || !trace.meta[meta::spool_end].empty() || (is_own && !trace.meta.contains(meta::unflushed));
    if (part.is_whole) {
        trace.meta.erase(meta::unflushed);
    }
    trace.meta.erase(meta::spool_end);
    const bool cut_short = !has_ended || !end.note.empty() || end.lost_chunks > 0;
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
        lacks += (lacks.empty() ? "" : "; ") + std::to_string(end.lost_chunks)
            + (end.lost_chunks == 1 ? " chunk is missing" : " chunks are missing");
    }
    if (!lacks.empty()) {
        trace.meta[meta::recovered] = lacks;
    }
    return trace;
}

}  // namespace lanes
