// SPDX-License-Identifier: MIT
// Changes as edits of a Script.
#pragma once

#include "engine/whatif/assumption.h"
#include "engine/whatif/change.h"
#include "engine/whatif/script.h"

namespace lanes::whatif {

/// How a change is made where there are two ways.
struct Way {
    bool keeps_gaps = false;  ///< the thread's own time before a call that goes is left to what comes behind it, else
                              ///< it goes too
    bool loads_first = false;  ///< what is loaded ahead comes before a turn's own work, else behind its launches,
                               ///< before its first wait
};

/// What a change did, and what it takes for granted.
struct Applied {
    std::uint64_t count = 0;  ///< calls, copies or kernels that it changed; 0: it does not apply
    std::uint64_t old_bytes = 0;  ///< reads of the host that may come before what they read
    std::vector<Assumption> assumptions;
    bool is_refused = false;  ///< it needs what the user says does not hold: the script is as it was
    Reliability reliability = Reliability::reliable;
    bool drops_calls = false;  ///< so that it matters whether the time before them goes too
    bool loads_ahead = false;  ///< so that it matters where
};

/// Of what was changed before, what it would change again is left alone. Cost: linear.
Applied apply(Script& script, const Graph& graph, const Change& change, Way way = {}, const Answers& answers = {});

}  // namespace lanes::whatif
