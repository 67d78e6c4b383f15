// SPDX-License-Identifier: MIT
// `lanes trigger`: has a part of a job recorded that runs under `lanes record --idle`.
//
// The request goes into a file beside the job's spool, which the probe in each of its processes looks for eight times a
// second. It names a moment of the clock a little ahead, so that all of them begin together. A signal would be shorter,
// but none is certain to be free in a program that one does not know.
#pragma once

#include "engine/input_error.h"
#include "probes/units.h"

#include <string>
#include <vector>

namespace lanes {

struct TriggerRequest {
    std::string process;  ///< its id, or that of a process that started it, such as lanes record
    Ns duration = 0;
    Ns at = 0;  ///< begins when CLOCK_REALTIME is a multiple of it; 0: at once
};

/// Throws InputError with what was found: no such process, one that lanes does not record, not idle, recording already;
/// and std::system_error if the request cannot be written. Returns when recording begins, ns of CLOCK_REALTIME.
Ns trigger(const TriggerRequest& request);

/// The value of `name` in the environment that a process was started with, as /proc/PID/environ has it: variables with
/// a NUL after each. "": it is not there.
std::string value_in_environment(const std::string& environment, const std::string& name);

}  // namespace lanes
