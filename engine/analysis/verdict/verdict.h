// SPDX-License-Identifier: MIT
// The verdict: one line about a recording, shown beside its title. Did things overlap, or did the CPU or a GPU wait? It
// is a pure function of a few facts; docs/definitions.md has the table.
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/trace/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// The facts, in ns, cut at the range. Nothing if the recording does not say; kinds that depend on that fact are
/// skipped.
struct VerdictFacts {
    bool of_program = false;  ///< not of a workload: "loop: " may come before the clause
    Ns wall = 0;  ///< Report::wall
    Ns gpu_busy = 0;  ///< Report::gpu_busy, of any GPU
    bool gpu_recorded = true;  ///< Report::gpu_recorded
    bool has_operations = false;  ///< Report::has_operations(): all without length if `gpu_busy` is 0
    std::uint64_t read_bytes = 0, wrong_bytes = 0;  ///< bytes that the host read; those of them that were wrong
    std::size_t reads = 1;  ///< how often it read

    /// What held waits cost the thread that they cost most (ThreadFigures::held_cost).
    std::optional<Ns> held_cost;
    /// What the run gains in a replay without waits that findings name: the thread is then ahead by all of them, while
    /// `held_cost` is of each wait alone.
    Ns gain_without_waits = 0;
    bool held_in_part = false;  ///< `held_cost` is missing because it is known for some threads only

    // While no GPU is busy. In recordings of programs only since `starts_at`: what precedes it is start-up.
    Ns starts_at = 0;  ///< the first operation, or the end of the one idle stretch that takes half of the run or more
    /// Idle until then, and later in stretches of a millisecond or more that end with the first operation of a GPU or
    /// of a name on it: contexts, handles and code are made there. 0 in recordings of workloads and in parts of one.
    Ns before_first = 0;
    std::size_t first_gaps = 0;  ///< how many of these later stretches there are, without those up to `starts_at`
    Ns longest_gap = 0;  ///< the longest of these stretches, if it is longer than the time before the first operation
    Ns first_after = 0;  ///< the time before the first operation
    /// Nothing queued, and a thread in a call that issues work and not blocked in it.
    std::optional<Ns> idle_in_launches;
    /// No thread in such a call, while a thread works, reads or allocates.
    std::optional<Ns> idle_in_work;
    /// Since then, up to the last operation, without such stretches. In a part of a recording also at its beginning and
    /// end, where an operation came before it or comes after it.
    Ns idle_inside = 0;
    Ns idle_unissued = 0;  ///< of it, before the next operation had been issued
    // In all of the range, with the start-up; not measured if a GPU is busy for more than busy_percent.
    Ns idle_recorded = 0;  ///< a thread in a call and not blocked in it, in host work, in a host wait or an operator
    Ns idle_in_waits = 0;  ///< no thread in any of these, and one blocked: what it waits for has no record
    Ns idle_unrecorded = 0;  ///< no thread in any of these, nor blocked
    /// Of it, a thread in a range of the program or a frame of Python that takes half of the run or less and is no step
    /// of PyTorch's profiler. Not measured beside samples.
    Ns idle_in_ranges = 0;
    Ns idle_in_range = 0;  ///< of it, in the innermost ranges of the one name that have most of it
    std::string idle_range;  ///< that name
    // In stretches of 1 ms or more: Python needs less time between two launches. From `starts_at` on, and up to the
    // last operation unless one follows the range.
    Ns long_in_range = 0;  ///< of idle_in_range
    Ns long_unnamed = 0;  ///< of idle_unrecorded, what is not of idle_in_ranges
    Ns idle_for_others = 0;  ///< of idle_in_work, the first thread in a host wait; only if the run is starved
    Ns idle_in_allocations = 0;  ///< of idle_in_work, a thread in a call that allocates, frees or pins; likewise
    bool has_samples = false;  ///< Python's stacks were sampled
    bool has_frames = false;  ///< Python's frames are recorded
    bool has_operators = false;  ///< operators of PyTorch are recorded

    std::optional<Ns> cpu_free;  ///< a GPU busy while the first thread is not blocked, in a host wait or in an API call
    Ns work_beside = 0;  ///< a GPU busy while the first thread is in host work or reads

    /// Number of GPUs that are busy, or busy but for exposed communication, for 5 % or more of the longest such time of
    /// any, or run a tenth or more of the most operations of any.
    std::uint32_t gpus = 0;
    Ns gpus_at_once = 0;  ///< two or more GPUs busy
    Ns busiest_gpu = 0;  ///< the most that one GPU is busy
    bool gpus_wait_for_each_other = false;  ///< through events; only if GPUs take turns
    Ns gpu_time = 0;  ///< sum of the busy times of all GPUs; the figures below are sums over GPUs, too
    Ns kernel = 0;
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
/// A GPU that is busy for more than this share of the time is neither starved nor blocked.
inline constexpr int busy_percent = 80;
constexpr bool is_mostly_busy(Ns gpu_busy, Ns wall)
{
    return static_cast<double>(gpu_busy) * 100 > static_cast<double>(wall) * busy_percent;
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
        cpu_late,
        idle,
        copy_bound,
        turns,
        uneven,  ///< several GPUs that work for less than half of the time, on average
        overlapped,
        side_by_side,
        cpu_works,
        serial,
        gpu_bound,
        none,  ///< no GPU work, none on record, or nothing to say
    };
    Kind kind = Kind::none;
    Message message;  ///< "GPU 59 % busy: waits of the CPU cost 4.66 ms of 14.0 ms"; at most 80 characters
    std::vector<Message> more;  ///< sentences for who asks: what else fills the idle time, the whole recording
    /// The part of `message` that is good or bad: what waits cost if `is_held`, else what goes on while the GPU is busy
    /// (`overlapped`, `cpu_works`); empty: of the other kinds.
    Message reason;
    bool is_held = false;  ///< `message` says that waits cost 5 % of the wall time or more
    std::optional<Ns> waits_cost = {};  ///< what it says or would say that waits cost; nothing: not known
};
inline constexpr std::size_t verdict_kind_count = 15;

/// "launch_bound", …: as in `lanes report --json`.
std::string_view name_of(Verdict::Kind kind);

/// The first kind that applies, in the order of Kind. Cost: constant.
Verdict verdict_of(const VerdictFacts& facts);

}  // namespace lanes
