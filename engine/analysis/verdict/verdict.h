// SPDX-License-Identifier: MIT
// The verdict: one line about a recording, shown beside its title. Did things overlap, or did the CPU or a GPU wait? It
// is a pure function of a few facts; docs/definitions.md has the table.
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/trace/units.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanes {

/// The facts, in ns, cut at the range. Nothing if the recording does not say; kinds that depend on that fact are
/// skipped.
struct VerdictFacts {
    Ns wall = 0;  ///< Report::wall
    Ns gpu_busy = 0;  ///< Report::gpu_busy, of any GPU
    bool gpu_recorded = true;  ///< Report::gpu_recorded
    std::uint64_t read_bytes = 0, wrong_bytes = 0;  ///< bytes that the host read; those of them that were wrong
    std::size_t reads = 1;  ///< how often it read

    /// The longest time for which a thread was blocked in calls after which it issued or did more work; `blocked` is
    /// all blocked time of that thread. (A wait after which a thread does nothing more is a wait for the result.)
    std::optional<Ns> held;
    Ns blocked = 0;
    bool held_in_part = false;  ///< `held` is missing because it is known for some threads only

    /// No GPU busy and nothing queued while a thread is in a call that issues work, and not blocked in it.
    std::optional<Ns> idle_in_launches;
    /// No GPU busy and no thread in such a call, while a thread works, reads or allocates.
    std::optional<Ns> idle_in_work;
    Ns idle_for_others = 0;  ///< its part with the first thread in a host wait; only if the run is starved
    Ns idle_in_allocations = 0;  ///< its part with a thread in a call that allocates, frees or pins; likewise
    std::optional<Ns> cpu_free;  ///< a GPU busy while the first thread is not blocked, in a host wait or in an API call

    std::uint32_t gpus = 0;  ///< number of GPUs with 5 % of gpu_time or more
    Ns gpus_at_once = 0;  ///< two or more GPUs busy
    bool gpus_wait_for_each_other = false;  ///< through events; only if GPUs take turns
    Ns gpu_time = 0;  ///< sum of the busy times of all GPUs; the figures below are sums over GPUs, too
    Ns copy = 0, copy_hidden = 0;
    Ns values = 0;  ///< the part of `copy` that only fetched a value for the host (value_copies.h)
    Ns streams_overlap = 0;  ///< two or more streams of one GPU busy
    Ns directions_overlap = 0;  ///< copies of both directions of one GPU at once, also of one stream (a graph's)
    /// Figures of the GPU with the most exposed communication; `communicating_gpu` is its busy time.
    Ns communication = 0, communication_exposed = 0, communicating_gpu = 0;

    // What could have overlapped on one GPU: both have 5 % of its busy time or more.
    bool kernels_and_copies = false;
    bool copies_both_ways = false;
    bool two_streams = false;
};

/// A run is launch-bound if the GPU is idle in launches for a fifth of the wall time. If a launch takes l and its
/// kernel k < l, the GPU is idle for (l - k) / l: with a third as the limit, runs with k > 2 l / 3 would be missed.
constexpr bool is_launch_bound(const std::optional<Ns>& idle_in_launches, Ns wall)
{
    return idle_in_launches && wall > 0 && *idle_in_launches * 5 >= wall;
}
/// A run is starved if idle_in_work is a third of the wall time.
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
        none,  ///< no GPU work, none on record, or nothing to say
    };
    Kind kind = Kind::none;
    Message message;  ///< "blocked: CPU waited 48.4 ms of 48.8 ms, copies hidden 0 %"
};
inline constexpr std::size_t verdict_kind_count = 11;

/// "launch_bound", …: as in `lanes report --json`.
std::string_view name_of(Verdict::Kind kind);

/// The first kind that applies, in the order of Kind. Cost: constant.
Verdict verdict_of(const VerdictFacts& facts);

}  // namespace lanes
