// SPDX-License-Identifier: MIT
// Turns a Trace back into records, to merge and split recordings.
#pragma once

#include "engine/trace/trace_builder.h"
#include "engine/trace/units.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace lanes {

/// How to change the ids and times.
struct Resettled {
    Ns shift = 0;  ///< added to every time
    std::function<std::uint32_t(std::uint32_t)> process;  ///< the new id of a process; no_id: leave it out
    std::function<std::uint32_t(std::uint32_t)> device;  ///< the new id of a device
    std::optional<Interval> range = {};  ///< only what touches it, cut at its ends, in times of the trace
    bool steps = false;  ///< also give the steps of its workload; the meta data must fit them
    bool clocks = false;  ///< also give the samples of its clocks; only if all records are of one host
};

/// How many reached over an end of Resettled::range.
struct GivenCuts {
    std::uint64_t calls = 0, operations = 0, ranges = 0;
};

/// Gives all records of `trace` to `builder`, for which keep_times_and_devices() was called. Meta data, marks and the
/// count of dropped records are left to the caller. What is joined to a call that is left out is given without it. A
/// counter begins a range with the value that it had before. Returns how much was cut. Cost: linear; one call of the
/// functions for each process and device.
GivenCuts give_records(const Trace& trace, TraceBuilder& builder, const Resettled& to);

}  // namespace lanes
