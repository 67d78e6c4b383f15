// SPDX-License-Identifier: MIT
// Replays a Script by discrete-event simulation: how long the run would have taken.
//
// Threads go through their items; operations begin when all that they follow is done, a copy when its engine is free
// too (one a device and direction; both directions at once at the fitted part of their rates), a kernel when some of
// the multiprocessors are; kernels of one collective run from when the last of them began; a launch waits while its
// stream has launch_queue operations to do. Delays are those that were measured, or constants alone: measured ones
// hide a wrong graph in a replay of what was recorded, constants do not.
#pragma once

#include "engine/replay/script.h"

#include <limits>

namespace lanes::replay {

/// How a replay is done.
struct Mode {
    bool measured = true;  ///< what bound an operation or a wait in the recording keeps its delay
    double calls = 1;  ///< times of API calls, and of threads between what is recorded of them
    double constants = 1;  ///< delays that are constants
    double gpu = 1;  ///< lengths of kernels, memsets and copies on or between GPUs
    double links = 1;  ///< lengths of copies from and to pinned host memory
    double pinned = 1;  ///< the same, of copies that a change pins: nothing recorded says how fast their link is
    double duplex = 1;  ///< parts of their rates that copies of both directions at once have
    double load = 1;  ///< by which kernels that stream memory slow one another down (traffic.h)
    double host = 1;  ///< recorded work of the host that varies
    double service = 1;  ///< copying by the host that a change moves: to a thread that it adds, and by threads that
                         ///< issue copies of pageable memory, if these go to another stream
    double fetch = 1;  ///< loading of batches by workers of PyTorch
    double taking = 1;  ///< what it costs the thread to take batches from them
    double staged = 1;  ///< lengths of copies of pageable memory that stay where they are
    Ns from = 0,
       until = std::numeric_limits<Ns>::max();  ///< what began outside [from, until) takes as long as recorded
    bool orders = false;  ///< Replayed::orders is wanted
    bool is_of(Ns recorded) const { return from <= recorded && recorded < until; }
};

/// How many delays of each kind a replay used.
struct Delays {
    std::uint64_t measured = 0, constant = 0;
    std::uint64_t assumed = 0;  ///< for what a change made, or for a guessed hand-over
};

/// A wait without a record: before an item, a stream waits for an operation of another, and a change made one of the
/// two streams.
struct Order {
    std::uint32_t item, stream, operation;
};

struct Replayed {
    std::vector<Ns> item_start, item_end;  ///< by item; for a dropped one, both are when its thread got there
    std::vector<Ns> start, end;  ///< by operation; -1: it did not run
    Ns total = 0;  ///< last end of a call or operation
    Ns waited = 0;  ///< length of the kernels that waited for multiprocessors that others had
    Ns streams_waited = 0;  ///< of these, the kernels that stream memory
    std::uint64_t streams_that_waited = 0;  ///< how many these are
    std::uint64_t stuck = 0;  ///< items and operations that never end: they wait for one another
    Delays delays;
    std::vector<Order> orders;  ///< only for operations that were not done by then
};

/// Throws what the script's bound throws. Cost: n log n in items and operations, times the kernels that run at once;
/// 100 bytes an operation and item.
Replayed replay(const Script& script, const Mode& mode = {});

}  // namespace lanes::replay
