// SPDX-License-Identifier: MIT
// Turns a Trace back into records, to merge and split recordings.
#pragma once

#include "engine/trace/trace_builder.h"

#include <cstdint>
#include <functional>

namespace lanes {

/// How to change the ids and times.
struct Resettled {
    Ns shift = 0;  ///< added to every time
    std::function<std::uint32_t(std::uint32_t)> process;  ///< the new id of a process; no_id: leave it out
    std::function<std::uint32_t(std::uint32_t)> device;  ///< the new id of a device
    bool steps = false;  ///< also give the steps of its workload; the meta data must fit them
};

/// Gives all records of `trace` to `builder`, for which keep_times_and_devices() was called. Meta data, marks and the
/// count of dropped records are left to the caller. Cost: linear; one call of the functions for each process and
/// device.
void give_records(const Trace& trace, TraceBuilder& builder, const Resettled& to);

}  // namespace lanes
