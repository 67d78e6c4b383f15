// SPDX-License-Identifier: MIT
// What one SQLite file says, row by row, as the oracle reads it: with plain SQL, and without a line of the engine.
//
// Times are ns from the recording's start. A row that lacks what it needs to be placed in time is left out.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace oracle {

using Ns = std::int64_t;
inline constexpr int none = -1;
/// Ids that a file leaves out.
inline constexpr std::int64_t no_number = 0xFFFFFFFF;

/// A process and one of its threads, as the operating system counts them.
using ThreadId = std::pair<std::int64_t, std::int64_t>;
/// Process, context, stream.
using StreamKey = std::array<std::int64_t, 3>;

struct Call {
    Ns start, end;
    ThreadId thread;
    std::int64_t correlation;  ///< 0: none
    std::string name;  ///< without CUPTI's _vNNNN
    bool driver;
    std::int64_t result;
    int outer = none;  ///< the outermost call of its thread around it
};

struct Operation {
    enum Kind { kernel, copy, memset } kind;
    Ns start, end;
    StreamKey stream;
    std::int64_t device;
    std::int64_t correlation;  ///< 0: none
    std::string name;  ///< of a kernel
    std::int64_t copy_kind = 0;  ///< the layout's: 1 H2D, 2 D2H, 8 D2D, 10 P2P
    std::int64_t source = 7, target = 7;  ///< the layout's memory kinds: 0 pageable, 1 pinned, 2 device, 7 unknown
    bool async = false;
    int call = none;  ///< the outermost call that issued it
};

struct Sync {
    enum Type { unknown, event, stream_waits, stream, context } type;
    Ns start, end;
    StreamKey about;  ///< stream no_number: not about one stream
    std::int64_t event_id, event_sync;  ///< event_sync 0: the file has none
    int call = none;  ///< the outermost
};

/// The record of an event on a stream.
struct EventRecord {
    Ns time;  ///< of its call's start, else of the device
    StreamKey stream;
    std::int64_t event_id, event_sync;
    int call = none;
};

struct NamedRange {
    Ns start, end;
    ThreadId thread;
    std::string name;
    bool mark;
};

struct HostSpan {
    Ns start, end;
    ThreadId thread;
    std::int64_t type;  ///< 0 work, 1 put, 2 get, 3 join, 4 staging
};

struct Read {
    Ns start, end;
    ThreadId thread;
    std::string buffer;
    std::int64_t bytes, wrong_bytes;
};

/// A thread begins a step of its workload; `number` counts them in the order of the workload's text.
struct Step {
    Ns start;
    ThreadId thread;
    std::int64_t number;
};

struct Overhead {
    Ns start, end;
    std::int64_t type;  ///< the layout's: 8 is a full command buffer
    int call = none;  ///< the outermost
};

/// A function of the host that ran as work of a stream.
struct HostFunction {
    Ns start, end;
    StreamKey stream;
    bool timed;  ///< false: nobody knows when
    Ns submitted;  ///< when its call began, else when the function did
    int call = none;
};

/// One call of the table in place of many queries.
struct QuerySpin {
    int call = none;
    std::int64_t queries;
    std::int64_t succeeded;  ///< 0, 1; 2: not known
};

/// An allocation or a release.
struct Allocation {
    Ns time;
    std::int64_t device, process;
    int call = none;
};

struct Stream {
    std::int64_t device;
    std::int64_t flag = 0;  ///< 1 blocking, 2 non-blocking, 3 the legacy default stream
};

struct Thread {
    std::string name;
    std::int64_t place = no_number;  ///< in its workload
    bool acted = false;
    Ns first = 0;  ///< when it first did anything
};

struct Recorded {
    bool own = false;  ///< written by Lanescope, not by another tool
    std::string source;
    bool complete = true;
    bool has_whole_graphs = false;  ///< launches of graphs of whose kernels and copies nothing is known
    std::optional<Ns> gpu_end;  ///< of a run cut short: where its GPU part ends, if the file says so
    std::int64_t dropped = 0;
    Ns duration = 0;  ///< the last end of anything

    std::vector<Call> calls;
    std::vector<Operation> operations;
    std::vector<Sync> syncs;
    std::vector<EventRecord> events;
    std::vector<NamedRange> ranges;
    std::vector<HostSpan> spans;
    std::vector<Read> reads;
    std::vector<Step> steps;
    std::vector<Overhead> overheads;
    std::vector<Allocation> allocations;
    std::vector<HostFunction> host_functions;
    std::vector<QuerySpin> query_spins;
    std::map<StreamKey, Stream> streams;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> null_streams;  ///< by process and context
    std::map<ThreadId, Thread> threads;
    std::map<std::int64_t, std::string> devices;  ///< their names
};

/// Reads a recording or an export. Throws std::runtime_error with SQLite's words.
Recorded read_file(const std::string& path);

}  // namespace oracle
