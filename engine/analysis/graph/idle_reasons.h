// SPDX-License-Identifier: MIT
// Why each stream was idle: its idle time, cut into parts by what delayed its next operation.
//
// Until an operation is submitted, the reason is its thread: blocked by the GPU, by an allocation, by another thread,
// by the loading of code, by CUDA's own start, or just late. After that, the reason is what the operation waited for:
// an event, the legacy default stream, its graph, its copy engine, multiprocessors. What the recording does not say is
// unknown.
//
// Invariant: the parts of a lane and its busy times fill the range without gaps.
#pragma once

#include "engine/analysis/graph/graph.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lanes {

enum class IdleReason : std::uint8_t {
    late,  ///< its call came late: the thread worked, made other calls, or did something that is not recorded
    sync,  ///< its thread was blocked in a synchronisation, a spin of queries or a copy of non-pageable memory
    pageable,  ///< its thread was blocked in a copy of pageable memory
    memory,  ///< its thread allocated, freed or pinned memory
    queue_full,  ///< its thread waited for room in the launch queue
    host_wait,  ///< its thread waited for another one: a queue, a join
    loading,  ///< a first launch: code was loaded or compiled
    start_up,  ///< the first call of its process made the context (cuda_start.h)
    same_stream,  ///< it waited for the operation before it on its stream
    event,  ///< it waited for another stream, through a cudaEvent
    graph,  ///< it waited for another node of its graph
    legacy,  ///< it waited for the other side of the legacy default stream
    engine,  ///< its copy engine was busy with another copy
    multiprocessors,  ///< other kernels filled the GPU
    hand_over,  ///< latency from its call, or from the end of what it waited for, to its start
    nothing,  ///< no more work came to the stream
    unknown,  ///< the recording does not say
};
inline constexpr std::size_t idle_reason_count = 17;

/// "late", …: as in reports.
std::string_view name_of(IdleReason reason);

using ReasonTimes = std::array<Ns, idle_reason_count>;  ///< by IdleReason, ns

/// The reasons that take `least` or more, the longest first.
std::vector<IdleReason> reasons_by_time(const ReasonTimes& times, Ns least = 1);

struct IdlePart {
    Interval span;
    IdleReason reason = IdleReason::unknown;
    EventRef because;  ///< the operation that was waited for, or what the thread did; may be none
    Row operation = no_row;  ///< the operation that started at its end; no_row: none
    friend bool operator==(const IdlePart&, const IdlePart&) = default;
};

struct LaneIdle {
    Row stream = no_row;
    Ns busy = 0;
    ReasonTimes idle {};  ///< adds up to the range less `busy`
    /// Whether IdleReasons::idle includes it: not if only other streams have operations in the range.
    bool counts = true;
    std::vector<IdlePart> parts;  ///< by time
    Ns of(IdleReason reason) const { return idle[static_cast<std::size_t>(reason)]; }
};

struct IdleReasons {
    Interval range {0, 0};  ///< the requested range, up to the last end of a call or operation of the recording
    std::vector<LaneIdle> lanes;  ///< all streams with operations, in the order of the trace
    ReasonTimes idle {};  ///< the sums over all lanes that count
};

/// Parts shorter than `least` are in the sums but not in the lists, for drawing. Cost: linear in the events of the
/// range, log n for each stream and gap; if a launch in the range took longer than 1 ms, also linear in the operations
/// before.
IdleReasons idle_reasons(const Graph& graph, Interval range, Ns least = 0);

}  // namespace lanes
