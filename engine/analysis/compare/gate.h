// SPDX-License-Identifier: MIT
// Limits on how far a run's figures may be above or below another's: `wall<5%, blocked<10%, overlap>-5%`.
//
// Each (engine/workload/limits.h) limits B less A, in percent of A or in time: `wall<5%` holds where B takes less than
// 5 % more than A.
#pragma once

#include "engine/analysis/compare/compare_sides.h"
#include "engine/workload/limits.h"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// Where limits cannot be read: "column 6: found 'wal', expected …".
class GateError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// One or more. Throws GateError.
std::vector<Limit> parse_gate(std::string_view text);

struct Judged {
    Limit limit;
    Ns a, b;  ///< medians
    bool holds;
    bool within_spread;
};

/// Throws GateError if a figure of one side is not known, or is a sum over runs of other lengths (have_other_lengths();
/// only `iteration` is none). Where A is 0, the change in percent is 0 if B is 0 too, else
/// more than any percentage.
std::vector<Judged> judge(const std::vector<Limit>& limits, const ComparedSide& a, const ComparedSide& b);

/// The keys "sides" (each figure's least, median and most of both) and, where there are limits, "gate".
void write_sides(JsonWriter& json, const ComparedSide& a, const ComparedSide& b, const std::vector<Judged>& judged);
/// "A: the median of 5 runs, wall time 16.1 ms to 16.9 ms"; none for sides of one run.
std::vector<Message> side_messages(const ComparedSide& a, const ComparedSide& b);
/// A table of the figures, for a pull request, with the limits below it.
std::string sides_to_markdown(const ComparedSide& a, const ComparedSide& b, const std::vector<Judged>& judged,
    const Messages& messages, const ComparedParts& parts = {});

/// "wall<5% exceeded: 16.2 ms → 18.0 ms, +11.1 %".
Message judged_message(const Judged& judged);

}  // namespace lanes
