// SPDX-License-Identifier: MIT
// What each counter of a recording came to: its least, middle, greatest and last value.
//
// A counter has a value from each of its samples until the next, the last one until the range ends; before the first
// nobody knows. So the value that a range begins with counts, and `mean` weighs each value by how long it held: two
// samples a microsecond apart say less than one that stood for a second. Where the value is known for no time at all
// (one sample at the very end) the mean is the last value.
//
// Cost: linear in the samples.
#pragma once

#include "engine/analysis/figures/intervals.h"
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
