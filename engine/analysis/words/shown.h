// SPDX-License-Identifier: MIT
// Figures as people read them, in reports, sentences and the window alike.
#pragma once

#include "engine/trace/trace.h"

#include <string>
#include <utility>

namespace lanes {

/// "48.8 ms": three significant digits or more, the unit by magnitude; "0 ms" for 0.
std::string shown_time(Ns time);
/// "53.307812 ms": every digit, in the unit of shown_time(); for times that are compared or typed again.
std::string exact_time(Ns time);
/// "11.20405 s": a time in a list that goes up to `longest`, in the unit of that, with enough decimals to tell apart
/// times that differ by `step` (ns, 1 or more).
std::string shown_moment(Ns time, Ns longest, Ns step);
/// Both ends of a span in the unit of the later one, with enough decimals to tell apart times that differ by one of so
/// many `parts` of its length (1 or more): by a hundredth {"8.3413 s", "8.3540 s"}.
std::pair<std::string, std::string> shown_ends(Interval span, Ns parts);
/// "64 MiB", "1.5 KiB", "12 B".
std::string shown_bytes(std::uint64_t bytes);
/// A counter's value: "1.5 GiB", "12.3 %", "2,048" or "0.25" by its unit.
std::string shown_value(double value, CounterRecord::Unit unit);
/// "87 %"; "< 1 %" and "> 99 %" where rounding would give none or all.
std::string shown_share(double fraction);
/// "+1.2 %", "-45 %": a change in percent. Without `decimals` it has one decimal below 10 % and none above. It has no
/// sign if all its digits are 0.
std::string shown_change(double percent);
std::string shown_change(double percent, int decimals);
/// The same beside a limit, with one decimal, or with as many as show on which side of the limit it is: "+5.04 %"
/// beside 5, which "+5.0 %" would seem to equal.
std::string shown_change_beside(double percent, double limit);
/// "30.4 %": a share, in percent, beside a limit: as shown_share() writes it, or with as many decimals as show on which
/// side of the limit it is.
std::string shown_share_beside(double percent, double limit);
/// "56.9 GB/s", "2.45 MB/s"; `rate` in bytes/s.
std::string shown_rate(double rate);
/// "2.6", "1.04", "12.3", "340"; for ratios that are not negative.
std::string shown_ratio(double ratio);

}  // namespace lanes
