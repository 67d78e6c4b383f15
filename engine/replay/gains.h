// SPDX-License-Identifier: MIT
// What changes gain, at the cost of one replay each: the prices of findings. Script and replay are the same as What
// if's (whatif.h), which adds class and interval.
#pragma once

#include "engine/replay/assumption.h"
#include "engine/replay/change.h"
#include "engine/replay/replay.h"
#include "engine/replay/whatif.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanes::replay {

class Gains {
public:
    /// Graph must outlive it. Cost: that of make_script() and two replays. Throws std::exception if
    /// resources/devices is missing.
    explicit Gains(const Graph& graph);

    /// Whether the recording has what a replay needs, and an unchanged replay ends where the recording did
    /// (most_off_measured).
    bool can_tell() const { return m_can_tell; }
    /// Whether What if predicts anything: its gate is open, that of constants too.
    bool is_predicted() const { return m_is_predicted; }

    struct Gain {
        Ns time = 0;  ///< by which the run is shorter, or the part to which all changes are limited
        Ns idle = 0;  ///< by which all GPUs together are idle for less time
        bool reads_old_bytes = false;  ///< the host may read before anything has waited for what it reads
        std::vector<std::uint64_t> counts;  ///< by change: how many things it changed
    };
    /// Needs can_tell(). Nothing: no change finds anything to change, or the changed run deadlocks.
    /// Cost: a copy of the script and a replay.
    std::optional<Gain> of(const std::vector<Change>& changes, const Answers& answers = {}) const;

private:
    const Graph& m_graph;
    Script m_script;
    Gate m_gate;
    bool m_can_tell = false, m_is_predicted = false;
    Replayed m_unchanged;
    Ns m_idle = 0;  ///< of the unchanged replay
};

}  // namespace lanes::replay
