// SPDX-License-Identifier: MIT
// Calls that took long because CUDA was initialised, or code loaded or compiled, within them.
#pragma once

#include "engine/analysis/graph/graph.h"

namespace lanes {

enum class FirstCall : std::uint8_t {
    none,
    of_process,  ///< the first call of its process that took this long: CUDA was initialised, or code loaded
    of_kernel,  ///< the first launch of its kernel in its context: code was loaded or compiled
};

/// Which first call issued `operation`, if that call took more than 1 ms (loads_code) in which nothing held it. Cost:
/// if so, at most linear in the calls and operations before it.
FirstCall first_call_of(const Graph& graph, Row operation);

}  // namespace lanes
