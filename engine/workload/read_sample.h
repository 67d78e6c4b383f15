// SPDX-License-Identifier: MIT
// The part of a buffer that a `read` step compares: every word of the last read_in_full bytes, and one word of each
// page before them, which counts for the page. Reading every byte of 512 MiB takes 60 ms and more, three times as long
// as the workload that made them. A copy arrives in order and in pieces far larger than a page.
#pragma once

#include <cstdint>

namespace lanes {

inline constexpr std::uint64_t read_page = 4096;
inline constexpr std::uint64_t read_in_full = 1U << 20;

}  // namespace lanes
