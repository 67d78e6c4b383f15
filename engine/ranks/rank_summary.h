// SPDX-License-Identifier: MIT
// One rank of a job, without its recording: who it is, when its collectives began and ended, and what it did between
// them. A job of hundreds of ranks is judged from these alone.
//
// Times are ns on the rank's own clock, as recorded: they are never rewritten. What other ranks' clocks say of them is
// in clock_alignment.h.
#pragma once

#include "engine/ranks/rank_chain.h"
#include "engine/trace/units.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lanes {

/// Who a rank is. Texts are "" and numbers -1 where nothing says so.
struct RankIdentity {
    std::int64_t rank = -1, world = -1, restarts = -1;
    std::string rule;  ///< what said the rank: probes/inject/process_identity.h, or "file", "order", "name"
    std::string host;
    std::string clock;  ///< ranks of one text and one host share a clock: the boot id; "": this one with no other
    std::string gpu;  ///< UUID or PCI address of its GPU
    std::uint32_t process = 0;
    std::map<std::string, std::string> told;  ///< variables of launchers as they were, of a closed list
};

/// Sums over a stretch, ns. Busy times are lengths of unions.
struct RankTimes {
    Ns busy = 0;  ///< any operation
    Ns compute = 0;  ///< any kernel that does not communicate
    Ns communication = 0, exposed = 0;  ///< any that does; the part of it beside no other kernel
    Ns copies = 0;  ///< any copy or memset
    Ns blocked = 0;  ///< the thread that issues the collectives was held in a call
    friend bool operator==(const RankTimes&, const RankTimes&) = default;
};

struct RankCollective {
    std::uint32_t communicator = 0;  ///< into RankSummary::names; 0: not recorded
    std::uint32_t name = 0;  ///< into RankSummary::names: the kernel's
    std::uint64_t number = 0;  ///< the n-th of its communicator, else of its name, from 0
    bool is_numbered = false;  ///< the program said that number: it is the same on all ranks, in any part of a run
    std::int64_t step = -1;  ///< the number of the profiler's step in which it was issued; -1: not recorded
    std::uint64_t bytes = 0;  ///< 0: not recorded
    Ns start = 0, end = 0;
    Ns exposed = 0;  ///< of it, beside no other kernel of its GPU
    Ns issued = 0;  ///< when its call began; `start` if there is none
    /// Of the GPU from the recording's begin to `start`: kernels that do not communicate, copies beside none of them,
    /// and how many kernels.
    Ns compute_before = 0, copies_before = 0;
    std::uint64_t kernels_before = 0;
    /// Of the threads that issue work, from the recording's begin to `issued`: in waits for the next batch of data, and
    /// in costs of the profiler itself.
    Ns loading_before = 0, recording_before = 0;
    friend bool operator==(const RankCollective&, const RankCollective&) = default;
};

struct RankStep {
    Ns start = 0, end = 0;
    RankTimes times;
    friend bool operator==(const RankStep&, const RankStep&) = default;
};

inline constexpr std::size_t rank_bins = 512;

/// Between two moments of a clock it was set, as the host's other clock, which nobody sets, says.
struct ClockSet {
    Ns before = 0, after = 0;  ///< both on that clock: `after` may be the lesser
    Ns by = 0;  ///< forward; negative: back
    friend bool operator==(const ClockSet&, const ClockSet&) = default;
};

/// A question to another host's clock and its answer: `sent` <= `there` <= `back` in true time.
struct ClockRound {
    std::string asker;  ///< the clock of `sent` and `back`, as RankIdentity::clock
    Ns sent = 0, there = 0, back = 0;
    friend bool operator==(const ClockRound&, const ClockRound&) = default;
};

struct RankSummary {
    std::string file;  ///< from which it was made
    std::string device;  ///< name of its GPU
    RankIdentity identity;
    Ns start = 0, end = 0;  ///< of its recorded work, on its own clock
    std::uint64_t operations = 0, dropped = 0;
    bool complete = true;  ///< false: the recording was cut short
    std::vector<std::string> names {""};
    std::vector<RankCollective> collectives;  ///< by start
    RankChain chain;  ///< what its collectives followed
    std::vector<RankStep> steps;  ///< iteration_spans(), those of the warm-up too; empty where nothing repeats
    std::vector<ClockSet> clock_set;  ///< by `before`
    std::vector<ClockRound> rounds;  ///< its clock was asked; few, the narrowest ones
    Interval steady;  ///< the part that repeats, on its own clock; empty where nothing does
    RankTimes times;  ///< of all of it
    std::array<RankTimes, rank_bins> bins {};  ///< equal parts of [start, end)
};

}  // namespace lanes
