// SPDX-License-Identifier: MIT
// A program whose steps take longer from one of them on.
#pragma once

#include "tests/engine/analysis/tape.h"

#include <string>

namespace lanes {

/// Of eighteen steps the first is a warm-up. Those from the thirteenth on take 160 µs, the others 110 µs.
inline Trace longer_steps()
{
    constexpr Ns us = 1000;
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns now = 0;
    for (int i = 0; i < 18; ++i) {
        const Ns begin = now, kernel = i == 0 ? 1500 * us : i < 12 ? 100 * us : 150 * us;
        tape.kernel(tape.call("cudaLaunchKernel", now, now + 4 * us), 13, now + 5 * us, now + 5 * us + kernel);
        const auto sync = tape.call("cudaStreamSynchronize", now + 5 * us, now + 10 * us + kernel);
        tape.sync(sync, SyncRecord::stream_sync, now + 5 * us, now + 10 * us + kernel, 13);
        now += 10 * us + kernel;
        tape.range("step " + std::to_string(i), begin, now);
    }
    return tape.finish();
}

}  // namespace lanes
