// SPDX-License-Identifier: MIT
// What the recording of a repeated run says about the other runs: it is the median of several, and as many were timed
// without the recorder. Its meta data have both (meta::repeat_totals_ns, meta::unrecorded_totals_ns).
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/trace/trace.h"

#include <optional>
#include <vector>

namespace lanes {

/// ns; the median of an even number is the lower one of the two in the middle.
struct Spread {
    Ns least = 0, median = 0, most = 0;
    friend bool operator==(const Spread&, const Spread&) = default;
};

/// Of one time or more.
Spread spread_of(std::vector<Ns> times);

struct Repeats {
    std::size_t runs = 0;  ///< two or more
    Spread wall;  ///< of the runs that were recorded
    std::optional<Spread> unrecorded;  ///< of those that were not; nothing: there were none
};

/// Nothing for a recording of one run, or if its meta data are no list of times.
std::optional<Repeats> repeats_of(const Trace& trace);

/// The spread is reported if the longest run takes longer than the shortest by this share of the median. Likewise the
/// recorder's time is reported if runs with it take longer by this share.
inline constexpr double spread_that_matters = 0.05;

/// Whether `wall` spreads by more than that.
bool spreads(const Spread& wall);

/// "median of 5 runs, which took 8.1 ms to 9.2 ms"; "without the recorder a run takes ...". Only what matters.
std::vector<Message> repeat_messages(const Trace& trace);

}  // namespace lanes
