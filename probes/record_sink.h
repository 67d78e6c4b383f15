// SPDX-License-Identifier: MIT
// The interface to which sources write records: a spool on disk, or a trace in memory.
#pragma once

#include "probes/record.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace lanes {

/// The meta key whose value says that all was written: a spool without it, or with an empty value, was cut short.
inline constexpr auto spool_end_key = "spool_end";

/// The meta key of a spool to which one process alone writes, its id: it ends with that process' last flush.
inline constexpr auto own_spool_key = "own_spool";

/// The meta key of what CUPTI refused to record: names of recorder.cpp, ", "
/// between.
inline constexpr auto not_recorded_key = "not_recorded";

/// Begins the meta key of a running recorder: its process and when it began follow, "unflushed.4711.1700…". Its value
/// is empty once everything was written; else records may be missing at the process' end.
inline constexpr auto unflushed_key = "unflushed.";

/// A communicator that a process made, "communicator.4711.1234" with NCCL's hash of it: how many ranks it has, which
/// one the process is, and CUDA's number of its GPU, "8 3 3".
inline constexpr auto communicator_key = "communicator.";

/// The host of the processes: its name, and the id of its boot, which tells clocks apart.
inline constexpr auto host_key = "host";
inline constexpr auto boot_key = "boot_id";

/// The meta key of how CUDA graphs were recorded: "whole", each launch as one operation; "auto 10", the first 10
/// launches of each graph by their nodes, the others as a whole; absent: by their nodes.
inline constexpr auto graphs_key = "graphs";
inline constexpr auto whole_graphs = "whole";
inline constexpr auto some_whole_graphs = "auto";

/// Begins the meta key of a process' recorded parts: its id follows. The value is how many parts have ended and are
/// wholly in the sink.
inline constexpr auto handed_over_key = "handed_over.";

/// The meta key of the interval at which Python's stacks were sampled, in ns; absent: they were not.
inline constexpr auto stacks_key = "stacks_interval";

/// The meta key of a profiler in the recorded program that asked for CUPTI and was refused: the module that asked.
inline constexpr auto refused_profiler_key = "refused_profiler";

/// Takes records of any kind in any order. StringIds are valid within one sink.
class RecordSink {
public:
    RecordSink() = default;
    virtual ~RecordSink() = default;
    RecordSink(const RecordSink&) = delete;
    RecordSink& operator=(const RecordSink&) = delete;

    /// The id of a text; 0 for "". Equal texts get equal ids.
    virtual StringId intern(std::string_view text) = 0;

    /// Sets a key of the recording's meta data; a later value replaces an earlier one.
    virtual void write_meta(std::string_view key, std::string_view value) = 0;

    /// Takes records of one kind. Pass many at once: each call may cost a system call.
    template <Record R> void write(std::span<const R> records) { append(R::kind, std::as_bytes(records), sizeof(R)); }
    template <Record R> void write(const R& record) { write(std::span<const R>(&record, 1)); }

private:
    virtual void append(RecordKind kind, std::span<const std::byte> payload, std::size_t record_size) = 0;
};

}  // namespace lanes
