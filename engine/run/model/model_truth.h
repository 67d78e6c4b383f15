// SPDX-License-Identifier: MIT
// Why each operation of a model run began when it did, and what released each call that waited. No record says this,
// only the model knows it. Tests compare the analysis of its recording with it.
#pragma once

#include "engine/trace/units.h"

#include <cstdint>
#include <vector>

namespace lanes {

struct ModelTruth {
    /// An operation, identified as in its record. correlation 0: none.
    struct Work {
        std::uint32_t correlation = 0, graph_node = 0;
        friend bool operator==(const Work&, const Work&) = default;
    };
    enum class Start : std::uint8_t { launch, stream, event, graph, legacy, engine, multiprocessors };
    struct Started {
        Work what;
        Start cause = Start::launch;  ///< the last of all that it needed
        Work after;  ///< the work whose end that was; none: a call's arrival, or blocks of several kernels
    };
    enum class Wait : std::uint8_t { copy, staging, launch, stream_sync, device_sync, event_sync, queue_full, memory };
    struct Waited {
        std::uint32_t correlation;  ///< of the call
        Wait cause;
        Ns start, end;  ///< of the wait in it
        Work released_by;  ///< none: it did not wait for work with a record
    };
    std::vector<Started> starts;
    std::vector<Waited> waits;
};

}  // namespace lanes
