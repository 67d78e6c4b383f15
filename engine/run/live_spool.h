// SPDX-License-Identifier: MIT
// The spool of a program that is being recorded, as a Trace of its latest part: what a monitor shows while the program
// runs.
//
// Each look reads what is new and nothing else. Of what happened the latest records are kept, so that memory and the
// cost of a trace have a bound however long the program runs; descriptions and texts are kept all. Times count from the
// start of the recording that comes of it at the end, as far as its beginning is known.
#pragma once

#include "engine/trace/progress.h"
#include "engine/trace/trace.h"
#include "probes/spool_follower.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace lanes {

class LiveSpool {
public:
    struct Limits {
        std::size_t records = 300'000;  ///< kept of what happened, and what `least` asks for
        Ns least = 2'000'000'000;  ///< ns, up to the newest record: kept if it is no more than `most` records
        std::size_t most = 2'000'000;
    };

    explicit LiveSpool(std::string path);
    LiveSpool(std::string path, const Limits& limits);

    /// Takes what is new; whether anything happened. Throws what SpoolFollower::read does.
    bool read();

    /// A trace of what is kept, by the rules of open_spool(), but for that it is not said to be cut short. Empty before
    /// anything happened. Cost: of TraceBuilder for at most Limits::most records.
    Trace make(const Progress& progress = {});

    /// Whether the trace begins where the recording does.
    bool is_whole() const { return m_is_whole; }
    std::size_t kept_records() const { return m_kept_records; }

private:
    /// A chunk, as it lay in the file.
    struct Chunk {
        RecordKind kind;
        std::uint32_t writer, count;
        Ns newest;  ///< of its records' ends
        std::vector<std::byte> payload;
    };
    void take(const SpoolChunk& chunk);
    void drop_old();

    SpoolFollower m_follower;
    const Limits m_limits;
    std::vector<Chunk> m_descriptions;
    std::deque<Chunk> m_happenings;
    std::size_t m_kept_records = 0;
    bool m_is_whole = true;
    Ns m_newest = INT64_MIN;  ///< of what happened; within 2^61
    Ns m_first = INT64_MAX;  ///< start of all that happened, also of what is not kept any more
};

}  // namespace lanes
