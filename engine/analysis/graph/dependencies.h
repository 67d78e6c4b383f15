// SPDX-License-Identifier: MIT
// The edges of the dependency graph that do not follow from the tables of the Trace (program order, stream order, call
// -> operation): what a cudaEvent orders, what a call waits for, which streams the legacy default stream orders, which
// get of a queue took which put, which NCCL kernels are one collective, and which PyTorch thread continued after
// which (turns.h, inferred). If the recording does not name an event's record, a stream or a partner, there is no edge:
// nothing is guessed.
#pragma once

#include "engine/analysis/figures/recording_bounds.h"
#include "engine/analysis/graph/turns.h"
#include "engine/ranks/collectives.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lanes {

inline constexpr Ns waits_in_queue = 20'000;  ///< ns; a put or get that took longer has waited

/// Trace and Blocking must outlive it. Cost: n log(streams) in operations, log n for each wait. A wait for a context
/// counts as a wait for each of its streams (after four million of them, only for the operation that held it); a wait
/// for the legacy default stream, or for an event on a stream that it orders, as one for each of those streams (after
/// twenty million, only for the stream itself).
struct Dependencies {
    Dependencies(const Trace& trace, const Blocking& blocking);

    std::vector<Row> operations;  ///< by time

    struct Behind {
        Row operation, before;
    };
    /// Edges through events: `operation` waited for `before`; sorted by operation. An event waits for the last
    /// operation before its record, and for everything that its stream waited for after that operation.
    std::vector<Behind> behind;
    struct Hold {
        Row call, operation;
    };
    /// `call` waited for `operation`, says its synchronisation record or Blocking; sorted by call.
    std::vector<Hold> holds;

    std::vector<bool> fills_gpu;  ///< by operation: a kernel with so many threads that another such kernel waits for it
    std::vector<std::uint32_t> device_of;  ///< by stream: index of its device
    std::size_t devices = 0;
    std::vector<std::uint32_t> copy_engines;  ///< by index of device; 0: not known
    /// What carries an operation of that kind and stream, as engine_of() of its device.
    OperationKind engine_of(OperationKind kind, Row stream) const
    {
        return lanes::engine_of(kind, copy_engines[device_of[stream]]);
    }
    /// By stream: index of its context, if the legacy default stream and blocking streams wait for one another there.
    static constexpr std::uint32_t no_context = 0xFFFFFFFFU;
    std::vector<std::uint32_t> context_of;
    std::vector<bool> legacy;
    std::size_t contexts = 0;

    struct Handover {
        Row span, from;
    };
    /// Into Trace::host_spans, sorted by span: the n-th get of a queue follows the n-th put; a put that waited for room
    /// follows the last get that ended before it did.
    std::vector<Handover> handovers;

    Collectives collectives;
    struct Partner {
        Row operation, partner;
    };
    /// A kernel of a collective on several GPUs, and the one of that collective that started last, for which it waited;
    /// sorted by operation.
    std::vector<Partner> partners;
    /// By the times as they are; no_row: none. Cost: log n.
    Row partner_of(Row operation) const
    {
        const auto at = std::partition_point(
            partners.begin(), partners.end(), [&](const Partner& each) { return each.operation < operation; });
        return at != partners.end() && at->operation == operation ? at->partner : no_row;
    }

    std::vector<Turn> turns;  ///< of PyTorch's backward passes: inferred

    Ns issue = 0;  ///< the usual time from a call's start to the start of its operation on an idle stream
};

}  // namespace lanes
