// SPDX-License-Identifier: MIT
// How far a prediction may be off: its 90 % interval, from a replay in which everything takes less and one in which
// everything takes more. The parts by which they differ were fitted on pairs of recordings of the same work done in two
// ways (docs/whatif.md). Private to engine/replay.
#pragma once

#include "engine/replay/replay.h"

#include <optional>

namespace lanes::replay {

Ns part_of(Ns time, double part);

/// Whether the run's length depends on `what`: if that takes longer in the part to which `mode` applies, and which is
/// `length` long, a good part of the increase is in the total. Cost: a replay.
bool is_bound_by(double Mode::*what, const Script& script, Ns total, Mode mode, Ns length);

/// The recorded run replayed, and the changed one.
struct BothRuns {
    const Script& recorded;
    const Replayed& unchanged;
    const Script& changed;
    const Replayed& replayed;
};

/// The part of a run whose length is uncertain. What both runs have in common, such as a start-up of seconds, does not
/// affect the gain.
struct UnsurePart {
    Mode mode;  ///< applies to that part alone
    Ns length = 0;  ///< of that part in the changed run
    Ns gained = 0;  ///< by the change before the part that repeats
};
/// `repeats`: the part to which the changes are limited; else the part that repeats, of a recording that is mostly
/// start-up. Cost: linear.
UnsurePart unsure_part(const BothRuns& runs, const std::optional<Interval>& repeats);

/// For how long kernels ran beside one that had begun before, on any GPU: two that stream memory, and others.
struct TimeBeside {
    Ns streams = 0, others = 0;
};

/// The same as recorded.
TimeBeside recorded_beside(const Script& script, const Trace& trace);

/// What else widens an interval.
struct Doubts {
    UnsurePart part;
    TimeBeside beside;  ///< recorded_beside()
    bool is_rough = false;  ///< the prediction is conditional
    bool by_torch = false;  ///< workers of PyTorch load
    bool loads = false;  ///< workers load
    bool serves = false;  ///< a thread that the change adds copies data, or workers load
    /// What the run would take if the change were made in the other way that the recording allows.
    std::optional<Ns> other_way;
    bool may_wait = false;  ///< something else may set the pace with the change, too
    bool may_cost_more = false;  ///< that other way makes more calls, starts workers or overlaps less, and that matters
    bool may_load_first = false;  ///< that other way loads ahead before an iteration's own work
};

/// What makes an interval wide.
enum class Unsure : std::uint8_t { calls, host, loading, links, pageable, other_way };
/// What alone makes it widest, and how wide.
struct Widest {
    Unsure what = Unsure::calls;
    Ns width = 0;
};
/// Cost: eight replays.
Widest widest_of(const BothRuns& runs, const Doubts& doubts);

struct PredictedInterval {
    Ns low = 0, high = 0;
    bool kernels_beside = false;  ///< memory-bound kernels may run beside others
    Ns pageable_differs = 0;  ///< by how much the time of pageable copies differs between runs; 0: too little to matter
};
/// Cost: two replays.
PredictedInterval interval_of(const BothRuns& runs, const Doubts& doubts);

}  // namespace lanes::replay
