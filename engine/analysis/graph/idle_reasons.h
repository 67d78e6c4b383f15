// SPDX-License-Identifier: MIT
// Why each stream stood idle: its idle time cut into parts by what kept its next operation.
//
// Before an operation was submitted its thread was the reason: held by the GPU, by an allocation, by another thread, by
// the loading of code, or simply later than the stream. From then on what the operation waited for was: an event, the
// legacy default stream, its graph, its copy engine, multiprocessors. What the recording does not tell is unknown.
//
// Invariant: the parts of a lane and the times in which it is busy fill the range without a gap.
#pragma once

#include "engine/analysis/graph/graph.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lanes {

enum class IdleReason : std::uint8_t {
    late,  ///< its call came late: the thread worked, made other calls, or was in nothing that is recorded
    sync,  ///< its thread was held in a synchronisation, a spin of queries or a copy of other than pageable memory
    pageable,  ///< its thread was held in a copy of pageable memory
    memory,  ///< its thread allocated, freed or pinned memory
    queue_full,  ///< its thread waited for room in the launch queue
    host_wait,  ///< its thread waited for another one: a queue, a join
    loading,  ///< a first launch: code was loaded or compiled
    same_stream,  ///< of two operations that ran one after the other: they are of one stream
    event,  ///< it waited for another stream, through a cudaEvent
    graph,  ///< it waited for another node of its graph
    legacy,  ///< it waited for the other side of the legacy default stream
    engine,  ///< its copy engine did another copy
    multiprocessors,  ///< other kernels filled the GPU
    hand_over,  ///< from its call, or from the end of what it waited for, to its start
    nothing,  ///< no more work came to the stream
    unknown,  ///< the recording does not say
};
inline constexpr std::size_t idle_reason_count = 16;

/// The reason as reports print it: "late", …
std::string_view name_of(IdleReason reason);

using ReasonTimes = std::array<Ns, idle_reason_count>;  ///< by IdleReason, ns

struct IdlePart {
    Interval span;
    IdleReason reason = IdleReason::unknown;
    EventRef because;  ///< the operation that was waited for, or what the thread did meanwhile; may be none
    Row operation = no_row;  ///< that began after it; no_row: none did
    friend bool operator==(const IdlePart&, const IdlePart&) = default;
};

struct LaneIdle {
    Row stream = no_row;
    Ns busy = 0;
    ReasonTimes idle {};  ///< adds up to the range less `busy`
    bool counts = true;  ///< in IdleReasons::idle: not if it has no operation in the range, and another stream has
    std::vector<IdlePart> parts;  ///< by time
    Ns of(IdleReason reason) const { return idle[static_cast<std::size_t>(reason)]; }
};

struct IdleReasons {
    Interval range {0, 0};  ///< what was asked for, up to the last end of a call or operation of the recording
    std::vector<LaneIdle> lanes;  ///< of all streams with operations, in their order
    ReasonTimes idle {};  ///< of all lanes that count
};

/// Of `range`. Parts shorter than `least` are in the sums and not in the lists: for who draws pixels. Cost: what lies
/// in the range, and for each stream and gap log n; where a launch of the range took longer than 1 ms also one look at
/// each operation before it.
IdleReasons idle_reasons(const Graph& graph, Interval range, Ns least = 0);

}  // namespace lanes
