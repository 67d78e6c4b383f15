// SPDX-License-Identifier: MIT
// How much earlier the GPUs of a run would be done if some of them did not hold up collectives: what find_late_ranks()
// asks. WithoutRanks answers from a recording of all ranks, JobReplay from the summaries of a job.
#pragma once

#include "engine/trace/trace.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lanes {

class CollectiveReplay {
public:
    CollectiveReplay() = default;
    CollectiveReplay(const CollectiveReplay&) = default;
    CollectiveReplay(CollectiveReplay&&) = default;
    virtual ~CollectiveReplay() = default;

    /// What tells when a GPU came to a collective.
    enum class Clock : std::uint8_t {
        shared,  ///< the starts of its kernels
        none,  ///< how long its kernels took: all leave together. Needs no clock that GPUs share
    };
    struct Earlier {
        std::map<std::uint32_t, Ns> done;  ///< by Device::id: what it had done by the end of the range
        std::vector<Ns> moved;  ///< by Collectives::all: when it moves its data; 0 outside of the range
    };
    /// By how much earlier all would be. `left_out`: for each of Collectives::all, the GPU that does not hold it up;
    /// no_id: none. Collectives whose last kernel began before the range are as recorded. Hosts are level: all
    /// processes issue their first collective of the range when the last of them does, as what one is ahead of others
    /// by then was lost before, such as by starting later.
    virtual Earlier earlier(const std::vector<std::uint32_t>& left_out, Clock clock, Interval range) const = 0;
};

}  // namespace lanes
