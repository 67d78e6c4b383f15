// SPDX-License-Identifier: MIT
// Kernels that stream memory, that is, read and write the GPU's memory and do little else, beside one another. Each of
// their threads waits for its own loads, and the more loads are under way, the longer each takes: with a part p of the
// GPU's places for threads, such a kernel works in proportion to p / (1 + load p) (Little's law, with a latency that
// grows with the load). For several, the denominator has the sum of their parts.
//
// `load` was fitted on two H200s, to kernels of 50, 200 and 800 µs with 16 bytes of each thread under way: beside
// another one they took 1.02 to 1.04 (8 blocks of 132 multiprocessors), 1.08 to 1.12 (32) and 1.15 to 1.23 times as
// long (66); the rule gives 1.03, 1.10 and 1.18. With their data in the L2 cache it was 1.01 to 1.02.
#pragma once

#include <string_view>

namespace lanes::replay {

/// Whether a kernel of this name, with its template arguments, is of a workload's `work: memory`. For other programs
/// that is not known: element-by-element kernels that leave room for others mostly read from the L2 cache.
bool streams_memory(std::string_view full);

/// The speed of such a kernel; alone it is 1. It has `part` of the places of the `whole` that it wants; it and others
/// of its kind have `all`. `times`: a factor of the load.
inline double speed_beside(double part, double whole, double all, double times = 1)
{
    const double load = 3.5 * times;
    return part / whole * (1 + load * whole) / (1 + load * all);
}

}  // namespace lanes::replay
