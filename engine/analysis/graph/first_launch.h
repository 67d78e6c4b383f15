// SPDX-License-Identifier: MIT
// Calls that took long because CUDA was initialised, or code loaded or compiled, within them.
#pragma once

#include "engine/analysis/graph/graph.h"

namespace lanes {

enum class FirstCall : std::uint8_t {
    none,
    of_process,  ///< nothing of its process took so long before: CUDA was initialised, or code loaded
    of_kernel,  ///< the first launch of its kernel in its context: code was loaded or compiled
};

/// Which first call issued `operation`, if that took more than 1 ms (loads_code) in which nothing held it. Cost: where
/// it did, linear in the calls and operations before it at most.
FirstCall first_call_of(const Graph& graph, Row operation);

}  // namespace lanes
