// SPDX-License-Identifier: MIT
// How much earlier the GPUs of a run would be done if some of them did not hold up collectives: by a replay of what
// each GPU and its host did between them. It is what their critical paths lose, so a GPU that stays behind costs once.
//
// An operation begins after what its GPU had done by then of what was issued before it, and after its host issued it,
// whichever is later, plus the time by which it was recorded to begin after both. A host goes on as recorded, but waits
// for the GPU only as long as it has to. A collective moves data once all have come that are not left out. So a GPU
// whose host issued its work long before is early by what it waited, and one whose host issued it just in time is not.
// With nothing left out all times are as recorded.
#pragma once

#include "engine/ranks/collective_replay.h"
#include "engine/ranks/collectives.h"
#include "engine/ranks/moments.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lanes {

/// A thread waited for an operation of a GPU.
struct HeldThread {
    Row thread;
    Ns start, end;
    Row operation;  ///< no_row: not known, so the wait takes as long as recorded
};

/// A kernel took longer because a collective that waited held multiprocessors beside it.
struct SlowedKernel {
    Row operation;
    std::size_t collective;  ///< into Collectives::all
    Ns longer;  ///< by which it would end earlier if the collective had not waited
};

class WithoutRanks : public CollectiveReplay {
public:
    enum class Hosts : std::uint8_t {
        as_recorded,  ///< what one is ahead of others before the range counts, too
        level,  ///< as CollectiveReplay::earlier() says
    };
    /// Trace and collectives must outlive it. Cost: n log n in the operations of the GPUs that meet in collectives, 40
    /// bytes for each.
    WithoutRanks(const Trace& trace, const Collectives& collectives, const std::vector<HeldThread>& waits,
        std::vector<SlowedKernel> slowed, Hosts hosts = Hosts::level);

    /// Cost: linear, and log n for each operation in the waits of its host.
    Earlier earlier(const LeftOut& left_out, Clock clock, Interval range) const override;

private:
    struct Wait : HeldThread {
        std::size_t host;
    };
    class Run;

    void find_hosts();
    void note_moments(const std::vector<HeldThread>& waits);
    Ns issued(Row row) const;

    const Trace& m_trace;
    const Collectives& m_collectives;
    std::vector<std::size_t> m_device_of;  ///< by stream; no_place: its GPU meets no other
    std::vector<std::uint32_t> m_devices;
    std::vector<Ns> m_issue;  ///< by GPU: the least time from a call to the start of its operation, 5 us at most
    Hosts m_levelled;
    std::vector<std::size_t> m_host_of;  ///< by thread
    std::size_t m_hosts = 0;
    std::vector<Wait> m_waits;
    std::vector<SlowedKernel> m_slowed;  ///< by operation
    std::vector<Moment> m_moments;
    std::vector<Ns> m_least_issued;  ///< by operation: of it and of those of its GPU that begin later
    std::vector<std::size_t> m_meeting_of;  ///< by operation: into Collectives::all; no_place: it waits for no other
};

}  // namespace lanes
