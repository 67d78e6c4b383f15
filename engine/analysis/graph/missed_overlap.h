// SPDX-License-Identifier: MIT
// Operations that ran one after the other and could have run side by side, and why they did not.
//
// Two operations of a GPU are neighbours if the second one began while nothing else ran there, and the first one is the
// last that had ended (they may overlap by a twentieth of the shorter one: kernels hand multiprocessors over). They
// could have run side by side if different parts of the GPU carry them (a kernel and a copy, or copies of both
// directions if it has an engine for each) or if they are of different streams. Two kernels or two copies of one
// direction on one stream are taken for a chain. Two copies by the only copy engine take turns on any stream.
// The possible gain is the time that either ran alone, the shorter of the two; no time counts twice. Orders that a
// program set (its stream, an event, a graph) come last: they may be intended, since the recording does not say which
// operation reads what another wrote.
#pragma once

#include "engine/analysis/graph/idle_reasons.h"

#include <array>
#include <vector>

namespace lanes {

/// What two neighbours are.
enum class Neighbours : std::uint8_t { kernel_copy, both_directions, copies, kernels };
inline constexpr std::size_t neighbours_count = 4;

/// As reports print it: "kernel_copy", …
std::string_view name_of(Neighbours neighbours);

struct MissedOverlap {
    struct Pair {
        Row first, second;  ///< operations
        Neighbours what;
        IdleReason reason;  ///< why the second one began no earlier
        EventRef because;  ///< what its thread was held in; none where the reason is not of a thread
        Ns time;  ///< for which they could have run side by side, ns
    };
    std::vector<Pair> pairs;  ///< the longest first, at most most_missed_pairs
    std::array<ReasonTimes, neighbours_count> time {};  ///< of all pairs; time of a GPU counts once at most
    std::uint64_t count = 0;  ///< pairs

    Ns of(IdleReason reason) const;
    Ns of(Neighbours what) const;
};
inline constexpr std::size_t most_missed_pairs = 1000;

/// For operations that touch `range`, cut there. Cost: operations in the range times log(streams); temporarily 24 bytes
/// for each.
MissedOverlap missed_overlap(const Graph& graph, Interval range);

/// How short the range could have been with the operations that it has.
struct BestTime {
    Ns wall = 0;  ///< what the range took
    Ns chain = 0;  ///< the longest chain of operations in the order that streams, events, graphs and engines gave them:
                   ///< with a CPU that takes no time and waits for nothing
    Ns busiest = 0;  ///< what the busiest engine has to do: with perfect overlap, in any order. For kernels, their time
                     ///< if those that do not fill the GPU run side by side (share_of_gpu())
    enum class Engine : std::uint8_t {
        none,
        kernels,
        h2d,
        d2h,
        d2d,
        p2p,
        copies  ///< of both directions and between GPUs, of a GPU with one copy engine
    } engine = Engine::none;
    std::uint32_t device = 0;  ///< the device of that engine
};

/// As reports print it: "none", "kernels", "h2d", …
std::string_view name_of(BestTime::Engine engine);

/// For operations that touch `range`, cut there. Cost: that of missed_overlap().
BestTime best_time(const Graph& graph, Interval range);

}  // namespace lanes
