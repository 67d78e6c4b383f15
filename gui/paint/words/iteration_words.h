// SPDX-License-Identifier: MIT
// What is said of one iteration of a recording.
#pragma once

#include "engine/analysis/iterations.h"

#include <QString>

namespace lanes::gui {

/// "slow: +4.90 ms cudaMalloc, −12.0 µs kernel matmul": what it spent more or less on than the typical one, three
/// causes at most; "" of one that does not differ.
QString whyText(const Trace& trace, const Iteration& typical, const Iteration& iteration);
/// "iteration 53: 9.10 ms, slow: +4.90 ms cudaMalloc"; of the typical one that it is so. `at` counts from 0.
QString iterationLine(const Trace& trace, const Iterations& iterations, std::size_t at);

}  // namespace lanes::gui
