// SPDX-License-Identifier: MIT
// What had to come before what in a recording, as far as its records say it. Program order on a thread, the order of a
// stream's operations and call -> operation are the tables' own; here is the rest: what is behind a cudaEvent, what a
// call waits for, which streams the legacy default stream orders, which of a queue's items a thread took, which kernels
// of NCCL are one collective, and which thread of PyTorch went on behind which (turns.h, inferred). Where the recording
// does not name an event's record, a stream or a partner, there is no such edge: nothing is guessed.
#pragma once

#include "engine/analysis/figures/recording_bounds.h"
#include "engine/analysis/graph/turns.h"

#include <cstdint>
#include <vector>

namespace lanes {

inline constexpr Ns waits_in_queue = 20'000;  ///< a put or get that takes longer waited, ns

/// Trace and Blocking must outlive it. Cost: n log(streams) in operations, log n for each wait; a wait for a context is
/// one for each of its streams (past four million of them, for the last operation alone that it was held by), one for
/// the legacy default stream or an event on a stream that it orders one for each of those (past twenty million, for the
/// stream alone).
struct Dependencies {
    Dependencies(const Trace& trace, const Blocking& blocking);

    std::vector<Row> operations;  ///< by time

    struct Behind {
        Row operation, before;
    };
    /// Through events: `before` first, then `operation`; sorted by operation. An event stands behind the last operation
    /// before its record, and behind all that its stream waited for after that one.
    std::vector<Behind> behind;
    struct Hold {
        Row call, operation;
    };
    std::vector<Hold>
        holds;  ///< what a call waits for, sorted by call: records of its synchronisation, and what held it

    std::vector<bool> fills_gpu;  ///< by operation: a kernel of so many threads that another of these waits for it
    std::vector<std::uint32_t> device_of;  ///< by stream, its device's place
    std::size_t devices = 0;
    /// By stream: the contexts in which a legacy default stream and blocking streams wait for one another.
    static constexpr std::uint32_t no_context = 0xFFFFFFFFU;
    std::vector<std::uint32_t> context_of;
    std::vector<bool> legacy;
    std::size_t contexts = 0;

    struct Handover {
        Row span, from;
    };
    /// Into Trace::host_spans, sorted by span: the n-th get of a queue and the n-th put; a put that waited for room,
    /// and the last get that was done by its end.
    std::vector<Handover> handovers;

    struct Partner {
        Row operation, partner;
    };
    /// Kernels of one collective on several GPUs and, of those, the one that began last, which the others waited for;
    /// sorted by operation. They are of one name and end within 20 µs of one another, and all of them run at once.
    std::vector<Partner> partners;

    std::vector<Turn> turns;  ///< of PyTorch's backward passes: inferred

    Ns issue = 0;  ///< the usual time from a call's start to the start of what it issues to an idle stream
};

}  // namespace lanes
