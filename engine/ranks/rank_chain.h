// SPDX-License-Identifier: MIT
// What each collective of one rank followed, as little of it as tells when it would have begun had others come earlier.
// It is WithoutRanks (without_ranks.h) worked out as far as one rank alone allows, so that a job is replayed without
// the recordings of its ranks.
//
// All is by how much earlier than recorded something is. An operation is as much earlier as what it followed, plus the
// slack that it was recorded to have: the least of these. So whatever lies between two collectives is a list of terms:
// of anchors (how much earlier the stream of a collective was done when that had ended), of paces (how much earlier the
// host was after it had waited for the GPU) and of the ends of collectives.
#pragma once

#include "engine/trace/trace.h"

#include <cstdint>
#include <vector>

namespace lanes {

struct HeldThread;

/// As much earlier as the n-th of what it names, plus `slack` (0 or more, ns).
struct ChainTerm {
    enum Kind : std::uint8_t { anchor, pace, end } kind = anchor;
    std::uint32_t number = 0;  ///< of an end: into RankSummary::collectives
    Ns slack = 0;
    friend bool operator==(const ChainTerm&, const ChainTerm&) = default;
};

struct ChainStep {
    enum Kind : std::uint8_t {
        begins,  ///< the kernel of a collective: it begins by the least of the terms earlier
        ends,  ///< it ends: the next anchor is the least of the terms and of what the collective is earlier
        goes_on,  ///< the host has waited: the next pace is the least of the terms
        done,  ///< the end: by the least of the terms the GPU has done everything earlier
    } kind = done;
    std::uint32_t collective = 0;  ///< begins, ends: into RankSummary::collectives
    std::vector<ChainTerm> terms = {};
    friend bool operator==(const ChainStep&, const ChainStep&) = default;
};

/// Anchor 0 is the begin of the recording and pace 0 the host's then: neither is earlier. Pace 1 is the host's from the
/// first collective's call on.
struct RankChain {
    std::vector<ChainStep> steps;
    friend bool operator==(const RankChain&, const RankChain&) = default;
};

/// The chain of the operations of `trace` on one device. `collectives`: rows of the kernels that meet others, in the
/// order of RankSummary::collectives. `waits`: of the threads of the same process. Cost: n log n in the operations.
RankChain chain_of(const Trace& trace, std::uint32_t device, const std::vector<Row>& collectives,
    const std::vector<HeldThread>& waits);

}  // namespace lanes
