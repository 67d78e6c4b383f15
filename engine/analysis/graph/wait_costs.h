// SPDX-License-Identifier: MIT
// Which waits of threads cost time. A blocked thread loses nothing if all that it would have done meanwhile had to wait
// anyway: for the result that it waits for, or for a GPU that has enough to do. docs/definitions.md has the rule.
#pragma once

#include "engine/analysis/graph/graph.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanes {

enum class WaitKind : std::uint8_t {
    held,  ///< what the thread did next could have begun earlier
    for_result,  ///< nothing follows: the thread wanted the result
    for_busy_gpu,  ///< what follows would have waited as long on the GPU
};
inline constexpr std::size_t wait_kind_count = 3;

/// "held", "for_result", "for_busy_gpu": as in reports.
std::string_view name_of(WaitKind kind);

/// One wait: one or more successive blocked stretches of a thread, with nothing but fetched values between them.
struct Wait {
    Row thread;
    Ns start, end;
    Ns blocked;  ///< the sum of the stretches
    Ns cost;  ///< by which it delayed what follows; at most `blocked`
    WaitKind kind;
};

/// A copy of pageable memory, and how much of a wait's cost is that it takes longer than one of pinned memory.
struct StagedCopy {
    Row operation;
    Ns saved;
};

struct WaitCosts {
    std::vector<Wait> waits;  ///< by thread, then start
    std::vector<StagedCopy> staged;  ///< those of all waits, by thread
    std::vector<Row> wait_of;  ///< by stretch (Blocking::calls), into `waits`; no_row: its thread is not known

    /// Of a stretch that belongs to no known wait: for_busy_gpu.
    WaitKind kind_of(Row stretch) const
    {
        return wait_of[stretch] == no_row ? WaitKind::for_busy_gpu : waits[wait_of[stretch]].kind;
    }
    /// The part of its wait's cost that falls to a stretch, by length.
    Ns cost_of(Row stretch, Ns length) const;
};

/// What waited for what in a recording, and which of its waits cost time.
struct Waited {
    const Graph& graph;
    const WaitCosts& costs;  ///< find_wait_costs(graph)
};

/// Cost: linear in calls and operations, log n for each stretch; where several processes issue work, that of
/// find_slack() too. Temporarily 4 bytes a call and operation.
WaitCosts find_wait_costs(const Graph& graph);

}  // namespace lanes
