// SPDX-License-Identifier: MIT
// Whether a recording has all of its run, and where its records end.
#pragma once

#include "engine/trace/trace.h"
#include "engine/trace/units.h"

namespace lanes {

/// False of a recording that was cut short: its run was killed or failed, or part of its spool is lost. Then nothing is
/// known after ends_of().
bool is_complete(const Trace& trace);

/// Where the records of a recording end, ns.
struct RecordEnds {
    Ns calls = 0, gpu = 0;
};
RecordEnds ends_of(const Trace& trace);

}  // namespace lanes
