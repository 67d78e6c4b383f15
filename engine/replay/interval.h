// SPDX-License-Identifier: MIT
// How far a prediction may be off: its 90 % interval, from a replay in which everything takes less and one in which
// everything takes more. The parts by which they differ were fitted on pairs of recordings of the same work done in two
// ways (docs/whatif.md). Private to engine/replay.
#pragma once

#include "engine/replay/replay.h"

#include <optional>

namespace lanes::replay {

Ns part_of(Ns time, double part);

/// How long the part of a run is that `mode` is of.
Ns length_of(const Mode& mode, Ns total);

/// Whether what takes so much longer decides much of how long the run takes from then on: a good part of that is in the
/// total. Cost: a replay.
bool is_bound_by(double Mode::*what, const Script& script, Ns total, Mode mode);

/// The recorded run replayed, and the changed one.
struct BothRuns {
    const Script& recorded;
    const Replayed& unchanged;
    const Script& changed;
    const Replayed& replayed;
};

/// Of which part of a run it is unsure how long it takes. What both runs have in common, a start-up of seconds, says
/// nothing of the gain.
struct UnsurePart {
    Mode mode;  ///< of that part alone
    Ns gained = 0;  ///< by the change before the part that repeats
};
/// `repeats`: of a recording that is mostly start-up the part that repeats. Cost: linear.
UnsurePart unsure_part(const BothRuns& runs, const std::optional<Interval>& repeats);

/// How long kernels ran while another one that had begun before did, on any GPU: two that stream memory, and others.
struct TimeBeside {
    Ns streams = 0, others = 0;
};

/// The same as recorded.
TimeBeside recorded_beside(const Script& script, const Trace& trace);

/// What an interval is made of besides.
struct Doubts {
    UnsurePart part;
    TimeBeside beside;  ///< recorded_beside()
    bool is_rough = false;  ///< the prediction is conditional
    bool by_torch = false;  ///< workers of PyTorch load
    bool loads = false;  ///< workers load
    /// What the run would take if the change were made in the other way that the recording allows.
    std::optional<Ns> other_way;
    bool may_load_first = false;  ///< which is to load ahead before an iteration's own work
};

struct PredictedInterval {
    Ns low = 0, high = 0;
    bool kernels_beside = false;  ///< kernels that memory binds may run beside others
    Ns pageable_differs = 0;  ///< by which the time of pageable copies differs from run to run; 0: too little to say
};
/// Cost: two replays.
PredictedInterval interval_of(const BothRuns& runs, const Doubts& doubts);

}  // namespace lanes::replay
