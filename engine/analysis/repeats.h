// SPDX-License-Identifier: MIT
// What the recording of a repeated run knows of its other runs: it is the median one of several, and as many were
// timed without the recorder. Both stand in its meta data (meta::repeat_totals_ns, meta::unrecorded_totals_ns).
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/trace/trace.h"

#include <optional>
#include <vector>

namespace lanes {

/// ns; of an even number the lower one of the two in the middle is the median.
struct Spread {
    Ns least = 0, median = 0, most = 0;
    friend bool operator==(const Spread&, const Spread&) = default;
};

/// Of one time or more.
Spread spread_of(std::vector<Ns> times);

struct Repeats {
    std::size_t runs = 0;  ///< two or more
    Spread wall;  ///< of the runs that were recorded
    std::optional<Spread> unrecorded;  ///< of those that were not; nothing where there were none
};

/// Nothing for a recording of one run, and for one whose meta data are no list of times.
std::optional<Repeats> repeats_of(const Trace& trace);

/// The spread is reported if the longest run takes this share of the median longer than the shortest; likewise the
/// recorder is said to take time where its runs take this much longer than those without it.
inline constexpr double spread_that_matters = 0.05;

/// Whether `wall` spreads by more than that.
bool spreads(const Spread& wall);

/// "median of 5 runs, which took 8.1 ms to 9.2 ms"; "without the recorder a run takes ...". Only what matters.
std::vector<Message> repeat_messages(const Trace& trace);

}  // namespace lanes
