// SPDX-License-Identifier: MIT
// Minimum, mean, maximum and last value of each counter of a recording.
//
// A counter has a value from each of its samples until the next, the last one until the range ends; before the first
// it is unknown. So the value at the start of a range counts, and `mean` weights each value by how long it held: two
// samples a microsecond apart count less than one that held for a second. Where the value is known for no time at all
// (one sample at the very end) the mean is the last value.
//
// Cost: linear in the samples.
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/words/messages.h"
#include "engine/trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace lanes {

struct CounterRow {
    std::uint32_t process = 0;
    std::uint32_t device = no_id;  ///< no_id: of the process
    std::string name;
    CounterRecord::Unit unit = CounterRecord::none;
    std::uint64_t samples = 0;  ///< in the range
    double min = 0, mean = 0, max = 0, last = 0;
};

/// Of the counters that have a value in the range, in the order of the trace.
struct CounterSummary {
    bool several_processes = false;  ///< so that a counter must say whose it is
    std::vector<CounterRow> rows;
};

/// No range: the whole recording.
CounterSummary summarise_counters(const Trace& trace, std::optional<Interval> range = {});

/// "none", "bytes", "percent".
std::string_view name_of(CounterRecord::Unit unit);

}  // namespace lanes
