// SPDX-License-Identifier: MIT
// When a call counts as held until GPU work was done: the rule that every cause of blocked time rests on.
#pragma once

#include "engine/trace/units.h"

#include <algorithm>

namespace lanes {

/// What a call may take without waiting for anything, ns. docs/definitions.md gives it.
inline constexpr Ns ordinary_call = 20'000;

/// A launch of one kernel takes longer, ns, only where it loads or compiles code, or waits, as for a lock. Launches on
/// a slow CPU take microseconds each.
inline constexpr Ns loads_code = 1'000'000;

/// Until when a GPU that was idle from `from` until it began an operation at `until` had nothing to do, as the call
/// that issued it returned at `issued`: after an ordinary call's length the GPU's own delay begins.
constexpr Ns had_nothing_until(Ns issued, Ns from, Ns until)
{
    return std::clamp(issued + ordinary_call, from, until);
}

/// How much earlier than the work that it waited for a call of `length` ns may seem to return, ns: the clocks of CPU
/// and GPU agree to 2 us, and drift apart while a call lasts: real exports have calls of 10 ms that return 4 to 7 us
/// before the recorded end of what they waited for.
constexpr Ns tolerance(Ns length)
{
    return std::min<Ns>(2'000 + length / 500, 20'000);
}

/// Whether a call that lasted from `start` to `end` was held until the work that ran from `began` to `done`, ns.
/// The call did not wait for work that began only after it had returned.
constexpr bool held(Ns start, Ns end, Ns began, Ns done)
{
    return done > start && began < end && end >= done - tolerance(end - start);
}

}  // namespace lanes
