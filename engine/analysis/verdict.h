// SPDX-License-Identifier: MIT
// One line about a recording, as the window writes it beside the title: did things
// overlap, or did the CPU or a GPU stand and wait. A pure function of a few facts; docs/definitions.md has the table.
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/trace/units.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanes {

/// What the verdict is made of: times in ns, cut at the range. Nothing where the recording cannot tell; a kind that
/// rests on such a fact is skipped.
struct VerdictFacts {
    Ns wall = 0;  ///< Report::wall
    Ns gpu_busy = 0;  ///< Report::gpu_busy, of any GPU
    std::uint64_t read_bytes = 0, wrong_bytes = 0;  ///< that the host read; of them, that were not as they should be

    /// The longest that a thread was held in calls after which it issued or worked on, and all that this thread was
    /// blocked. A wait after which a thread issues nothing more and does no work is a wait for the result.
    std::optional<Ns> held;
    Ns blocked = 0;

    /// No GPU busy nor anything queued, some thread in a call that issues work and not blocked there.
    std::optional<Ns> idle_in_launches;
    std::optional<Ns> idle_in_work;  ///< no GPU busy and none in such a call, some thread works, reads, or allocates
    Ns idle_for_others = 0;  ///< of it, the first thread in a host wait; known where that makes a run starved
    Ns idle_in_allocations = 0;  ///< of it, a thread in a call that allocates, frees or pins; known there, too
    std::optional<Ns> cpu_free;  ///< a GPU busy, the first thread neither blocked, in a host wait nor in an API call

    std::uint32_t gpus = 0;  ///< that have 5 % of gpu_time or more
    Ns gpus_at_once = 0;  ///< two or more GPUs busy
    bool gpus_wait_for_each_other
        = false;  ///< by events, where a GPU goes on behind another; known where they take turns
    Ns gpu_time = 0;  ///< busy time of each GPU, summed, as all that follow
    Ns copy = 0, copy_hidden = 0;
    Ns values = 0;  ///< of `copy`, what only fetched a value for the host (value_copies.h): nothing to hide
    Ns streams_overlap = 0;  ///< two or more streams of one GPU busy
    /// GPUs communicate together: of the one with the most exposed time, beside its own busy time.
    Ns communication = 0, communication_exposed = 0, communicating_gpu = 0;

    // What could have been side by side on one GPU, each with 5 % of its busy time or more.
    bool kernels_and_copies = false;
    bool copies_both_ways = false;
    bool two_streams = false;
};

/// Of the wall time, what makes a run launch-bound: a fifth. A GPU that waits for every launch is idle for (l - k) / l
/// of the time, if a launch comes every l and its kernel takes k: a third would leave out all kernels that are longer
/// than two thirds of a launch.
constexpr bool is_launch_bound(const std::optional<Ns>& idle_in_launches, Ns wall)
{
    return idle_in_launches && wall > 0 && *idle_in_launches * 5 >= wall;
}
/// What makes it starved, idle_in_work: a third.
constexpr bool is_starved(const std::optional<Ns>& idle_in_work, Ns wall)
{
    return idle_in_work && wall > 0 && *idle_in_work * 3 >= wall;
}

struct Verdict {
    enum class Kind : std::uint8_t {
        stale,
        blocked,
        launch_bound,
        starved,
        idle,
        turns,
        overlapped,
        side_by_side,
        cpu_works,
        serial,
        none,  ///< no GPU work, or nothing to remark
    };
    Kind kind = Kind::none;
    Message message;  ///< "blocked: CPU waited 48.4 ms of 48.8 ms, copies hidden 0 %"
};
inline constexpr std::size_t verdict_kind_count = 11;

/// "launch_bound", as `lanes report --json` prints it.
std::string_view name_of(Verdict::Kind kind);

/// The first line that holds, in the order of Kind. Cost: constant.
Verdict verdict_of(const VerdictFacts& facts);

}  // namespace lanes
