// SPDX-License-Identifier: MIT
// What changes gain, each for the price of one replay: how findings are priced. It is the same script and the same
// replay as What if's (whatif.h), which adds class and interval.
#pragma once

#include "engine/replay/assumption.h"
#include "engine/replay/change.h"
#include "engine/replay/replay.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanes::replay {

class Gains {
public:
    /// Graph must outlive it. Cost: that of make_script() and a replay. Throws std::exception where resources/devices
    /// is missing.
    explicit Gains(const Graph& graph);

    /// Whether the recording has what a replay needs, and ends where it did when it is replayed unchanged
    /// (most_off_measured).
    bool can_tell() const { return m_can_tell; }

    struct Gain {
        Ns time = 0;  ///< by which the run is shorter
        Ns idle = 0;  ///< by which all GPUs together are idle for less time
        bool reads_old_bytes = false;  ///< the host may read before anything has waited for what it reads
        std::vector<std::uint64_t> counts;  ///< by change: how many things it changed
    };
    /// Needs can_tell(). Nothing: none of the changes finds anything to change, or the changed run waits for itself.
    /// Cost: a copy of the script and a replay.
    std::optional<Gain> of(const std::vector<Change>& changes, const Answers& answers = {}) const;

private:
    const Graph& m_graph;
    Script m_script;
    bool m_can_tell = false;
    Ns m_total = 0, m_idle = 0;  ///< of the unchanged replay
};

}  // namespace lanes::replay
