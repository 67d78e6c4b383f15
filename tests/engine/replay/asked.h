// SPDX-License-Identifier: MIT
// What the tests of predictions share: a recording made by hand, and its what-if.
#pragma once

#include "engine/replay/whatif.h"
#include "tests/engine/analysis/tape.h"

#include <algorithm>
#include <string>

namespace lanes::replay {

/// A recording and its what-if.
struct Asked {
    explicit Asked(Trace made)
        : trace(std::move(made))
        , blocking(find_blocking(trace))
        , graph(trace, blocking)
        , what_if(graph)
    {
    }
    bool is_refused(const char* why) const
    {
        const auto& reasons = what_if.gate().reasons;
        return std::any_of(reasons.begin(), reasons.end(),
            [&](const Message& reason) { return reason.id == std::string("whatif.refused.") + why; });
    }
    Trace trace;
    Blocking blocking;
    Graph graph;
    WhatIf what_if;
};

/// Launches a kernel of 100 µs on stream 13 and waits for it, three times.
struct LaunchesAndWaits : Tape {
    static constexpr Ns us = 1'000;
    LaunchesAndWaits()
    {
        stream(13, StreamRecord::non_blocking);
        for (Ns start = 0; start < 600 * us; start += 200 * us) {
            const auto launch = call("cudaLaunchKernel", start + 10 * us, start + 15 * us);
            kernel(launch, 13, start + 18 * us, start + 118 * us);
            const auto wait = call("cudaStreamSynchronize", start + 16 * us, start + 122 * us);
            sync(wait, SyncRecord::stream_sync, start + 16 * us, start + 122 * us, 13);
        }
    }
};

}  // namespace lanes::replay
