// SPDX-License-Identifier: MIT
// Which kernels of several GPUs are one collective, and which GPUs meet in collectives: the groups: GPUs that are
// found to meet. (job_meetings.h does it for the ranks of a job, whose clocks differ.)
//
// Kernels are one collective if they have one name and one communicator, run on different GPUs, all overlap, and end
// together: within 20 us or a tenth of the shortest of them, whichever is longer. (Ends of one collective, measured on
// two and four H200: 1 to 50 us apart, those of 1.5 ms by ring 36 to 52 us.) Kernels whose communicator the recording
// does not say are compared with one another. Where a part of these GPUs is more than twice as often found without the
// others, two groups only happened to end together. If all GPUs have equally many such kernels, this finds most of them
// to be one collective of all these GPUs, and nearly all n-th kernels overlap, these are one: in order.
#pragma once

#include "engine/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lanes {

inline constexpr Ns collective_ends = 20'000;  ///< ns; so far apart kernels of one collective end on one host

/// One collective. Its kernels all overlap: none ends before the last one has begun.
struct Collective {
    std::size_t group;  ///< into Collectives::groups
    std::vector<Row> kernels;  ///< into Trace::operations, in the order of its group's GPUs
    Row last;  ///< of `kernels`, the one that began last; of several, the first in that order
    bool all_wait;  ///< none can leave before all have come. False of a broadcast, a send between two: there one waits
                    ///< for the other only
    bool of_one_process;  ///< all of its GPUs: they start together
    bool is_send;  ///< between two GPUs, one way or both: is_send()
};

struct Collectives {
    /// GPUs that meet, as Device::id, ascending: two or more.
    std::vector<std::vector<std::uint32_t>> groups;
    std::vector<Collective> all;  ///< by the time at which the last kernel began
};

/// Whether no GPU leaves such a collective (communication_of()) before all have come to it. Two GPUs that send and
/// receive may do so one way; more of them exchange all with all, if they end together.
bool do_all_wait(std::string_view what, std::size_t gpus);

/// Cost: n log n in the kernels that communicate, linear in the operations; that of Owners where ranges have values and
/// several GPUs communicate.
Collectives find_collectives(const Trace& trace);

}  // namespace lanes
