// SPDX-License-Identifier: MIT
// What had to come before what in a recording, as far as its records say it: a part of Replay.
#pragma once

#include "engine/analysis/recording_bounds.h"

#include <cstdint>
#include <vector>

namespace lanes {

/// Trace and Blocking must outlive it. Cost: n log(streams) in operations, log n for each wait; a wait for a context is
/// one for each of its streams (past four million of them, for the last operation alone that it was held by).
struct ReplayOrder {
    ReplayOrder(const Trace& trace, const Blocking& blocking);

    std::vector<Row> operations;  ///< by time

    struct Behind {
        Row operation, before;
    };
    std::vector<Behind> behind;  ///< through events: `before` first, then `operation`; sorted by operation
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

    Ns issue = 0;  ///< the usual time from a call's start to the start of what it issues to an idle stream
};

}  // namespace lanes
