// SPDX-License-Identifier: MIT
// A recording as records again, so that recordings can be put together and taken apart.
#pragma once

#include "engine/trace/trace_builder.h"

#include <cstdint>
#include <functional>

namespace lanes {

/// What becomes of the ids and times of a recording.
struct Resettled {
    Ns shift = 0;  ///< added to every time
    std::function<std::uint32_t(std::uint32_t)> process;  ///< the new id of a process, no_id: it is left out
    std::function<std::uint32_t(std::uint32_t)> device;  ///< the new id of a device
    bool steps = false;  ///< whether the steps of its workload are given too; the trace's meta must fit them
};

/// Gives all of `trace` to `builder`, which keeps times and devices (TraceBuilder::keep_times_and_devices). Meta data,
/// marks and what was dropped are left to the caller; devices are described where their new id is one of `trace`'s
/// own, or was given by `device`. Texts are copied. Cost: linear, a call of the functions for each process and device.
void give_records(const Trace& trace, TraceBuilder& builder, const Resettled& to);

}  // namespace lanes
