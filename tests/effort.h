// SPDX-License-Identifier: MIT
// How many of its trials a test runs if they all go through the same code: random inputs, the same command by
// another key, the same picture in another size. The plain build runs all. With sanitizers, five times as slow, every
// fourth runs: what they find depends on the code that runs, and ./dev test has run all of them by then.
#pragma once

namespace lanes {

#ifdef LANES_SANITIZED
inline constexpr int one_trial_in = 4;
#else
inline constexpr int one_trial_in = 1;
#endif

}  // namespace lanes
