// SPDX-License-Identifier: MIT
// A program that starts up for longer than it works: four iterations, one kernel each.
#pragma once

#include "gui/session/open_recording.h"
#include "tests/engine/analysis/tape.h"

#include <string>

namespace lanes::gui {

constexpr Ns late_iterations_begin = 50'000'000;
constexpr int late_iterations = 4;

/// The part that repeats begins at late_iterations_begin. In it run four kernels and are four calls, before it is one
/// call.
inline OpenRecordingPtr lateIterations()
{
    constexpr Ns us = 1000;
    Tape tape;
    static_cast<void>(tape.call("cudaGetDeviceCount", 0, 5 * us));
    for (int step = 0; step < late_iterations; ++step) {
        const Ns at = late_iterations_begin + step * 300 * us;
        tape.range("step " + std::to_string(step), at, at + 290 * us);
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 2 * us), 13, at + 5 * us, at + 250 * us);
    }
    return analysed(tape.finish(), QString());
}

}  // namespace lanes::gui
