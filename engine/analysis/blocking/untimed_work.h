// SPDX-License-Identifier: MIT
// Work without a time: host functions that were not timed, and work without a record. It is known to be done
// once its stream has begun later work that has a time. Whether a call waited for it is not known until then.
#pragma once

#include "engine/trace/trace.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace lanes {

/// Cost: nothing where there is no such work.
class UntimedWork {
public:
    explicit UntimedWork(const Trace& trace)
        : m_trace(trace)
        , m_streams(trace.streams.size())
    {
    }

    /// What a stream had to do up to some moment. Untimed works are numbered as they are submitted.
    struct Submitted {
        Row stream;
        std::uint64_t last;  ///< the last one that may be in the stream
        std::uint64_t done;  ///< the last one of those that are known to be done
        friend bool operator==(const Submitted&, const Submitted&) = default;
    };
    /// One a stream, by stream. Null: there is none. Where all of one is done, so is all of others that end before it.
    using Reach = std::shared_ptr<const std::vector<Submitted>>;

    bool none() const { return m_count == 0; }
    void submit(Row stream) { m_streams[stream].last = ++m_count; }
    /// Work of which the stream is not known.
    void submit_to_process(std::uint32_t process) { m_processes[process] = ++m_count; }
    /// Work with a time is next in the stream: what the stream had to do before, also through events (`waited`), is
    /// done.
    void outlast(Row stream, Reach& waited);

    /// Adds what was submitted to a stream so far.
    void extend(Reach& reach, Row stream) const;
    static void extend(Reach& reach, const Reach& other);
    /// The same of many at once. `parts` may have several of a stream, in any order.
    static Reach united(std::vector<Submitted> parts);
    /// Whether some of it may not be done.
    static bool any(const Reach& reach);

private:
    struct OfStream {
        std::uint64_t last = 0, done = 0;
        mutable Reach own;  ///< the last one that was returned, to share it
    };
    std::uint64_t last_of(Row stream) const;

    const Trace& m_trace;
    std::uint64_t m_count = 0;
    std::vector<OfStream> m_streams;
    std::unordered_map<std::uint32_t, std::uint64_t> m_processes;  ///< the last that may be in any of its streams
};

}  // namespace lanes
