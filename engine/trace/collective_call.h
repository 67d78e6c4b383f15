// SPDX-License-Identifier: MIT
// What the program said of the collectives that an operation carries out: which communicator, the n-th call, bytes.
//
// NCCL says it by the payloads of its NVTX ranges, PyTorch's profiler in its traces. Recordings of NCCL before 2.26
// have bytes but no communicator.
#pragma once

#include "engine/trace/owners.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// One call, from the values of its range (collective_value). Texts are valid as long as the trace.
struct CollectiveCall {
    Row range = no_row;  ///< into Trace::ranges: its start is that of the call on its thread
    std::string_view function = {};  ///< "ncclAllReduce", of PyTorch "allreduce"
    std::string communicator = {};  ///< equal on all its ranks: NCCL's hash, "0x00000000000004d2", or the name of
                                    ///< PyTorch's process group; "": not said
    /// The n-th call of this function on this communicator, from 1: the same collective on all ranks, if each of them
    /// is a process. NCCL's are counted from the beginning of the program, those of other tools' files from the
    /// beginning of the file.
    std::optional<std::uint64_t> call = {};
    std::optional<std::uint64_t> sequence = {};  ///< PyTorch's own number in the group; also right in a part of a run
    std::optional<std::uint64_t> bytes = {};  ///< as collective_value::bytes
    std::optional<std::uint64_t> root = {}, peer = {};
    std::optional<std::uint64_t> ranks = {};  ///< how many the communicator has
    std::string_view operation = {};  ///< "Sum"; "": not said
    std::string_view members = {};  ///< "[0, 1]": the global ranks; "": not said

    /// The communicator's text with its members, equal on all its ranks: groups of PyTorch's that have one name on
    /// different ranks are different communicators. "": not said.
    std::string communicator_and_members() const;
};

/// What a range says; nothing: it is not a call of a collective, or it says neither communicator nor bytes. Cost: log
/// n.
std::optional<CollectiveCall> collective_call(const Trace& trace, Row range);

/// The ranges of the calls that an operation carries out, in their order; none: nothing is known, or it is no
/// collective. Usually one. Calls between ncclGroupStart and ncclGroupEnd are carried out together by what the end
/// launches: all of the kernel's kind count, or all if the kernel's name says none. An operation of a CUDA graph has
/// the calls of its capture: each replay is one more collective. Cost: that of Owners::of(), and of a group the ranges
/// of all threads in it, at most 10,000.
std::vector<Row> collective_ranges(const Trace& trace, const Owners& owners, Row operation);

/// The innermost range with values around what issued an operation: that of its collective if it has one, else that of
/// an operator whose inputs are known; no_row: none. Cost: as collective_ranges().
Row range_with_values(const Trace& trace, const Owners& owners, Row operation);

/// A communicator of NCCL's that a process made, as the end of the call says that made it.
struct Communicator {
    std::uint32_t process = 0;  ///< Process::id
    std::string id = {};  ///< as CollectiveCall::communicator
    std::uint64_t ranks = 0;
    std::uint64_t rank = 0;  ///< of the process in it
    std::uint64_t device = 0;  ///< CUDA's number of its GPU
    friend bool operator==(const Communicator&, const Communicator&) = default;
};

/// Those of the recording, also if they were made before its part (meta::communicators).
std::vector<Communicator> communicators(const Trace& trace);
/// The text of meta::communicators: a line each. Lines that are none are skipped.
std::vector<Communicator> parse_communicators(std::string_view text);
std::string text_of(const std::vector<Communicator>& communicators);

/// Those that the values of ranges name: communicators() of a trace that is being made. Cost: linear in them.
std::vector<Communicator> communicators_in_ranges(const Trace& trace);

}  // namespace lanes
