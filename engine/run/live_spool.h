// SPDX-License-Identifier: MIT
// The latest records of a program that is being recorded, as a Trace, to show while the program runs.
//
// Each read() reads only new records. All descriptions and texts are kept, but only the latest of the other records, so
// that memory and the cost of a Trace are bounded however long the program runs. Times count from the start of the
// final recording, as far as it is known.
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
        std::size_t records = 300'000;  ///< the number of latest records that are always kept
        Ns least = 2'000'000'000;  ///< records of at least this last time are kept as well, ns
        std::size_t most = 2'000'000;  ///< records kept at most
    };

    explicit LiveSpool(std::string path);
    LiveSpool(std::string path, const Limits& limits);

    /// Reads new records. Returns whether there was any event. Throws what SpoolFollower::read() throws.
    bool read();

    /// Makes a Trace of the kept records, like open_spool(), but without a note that the end is missing. Empty before
    /// the first event. Cost: that of TraceBuilder for at most Limits::most records.
    Trace make(const Progress& progress = {});

    /// Whether no record has been dropped yet.
    bool is_whole() const { return m_is_whole; }
    std::size_t kept_records() const { return m_kept_records; }

private:
    /// A chunk of the file.
    struct Chunk {
        RecordKind kind;
        std::uint32_t writer, count;
        Ns newest;  ///< the last end of its records
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
    Ns m_newest = INT64_MIN;  ///< end of the newest event
    Ns m_first = INT64_MAX;  ///< start of the first event, even if it was dropped
};

}  // namespace lanes
