// SPDX-License-Identifier: MIT
// What a recording says about the process itself: its name, its threads' names, its
// streams' names and flags, and how the clocks moved.
//
// All functions may be called from any thread; the sink is written to under the lock.
#pragma once

#include "probes/record_sink.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace lanes {

class ProcessFacts {
public:
    /// `with_threads` false: the program itself writes ThreadRecords, so this does not.
    ProcessFacts(RecordSink& sink, bool with_threads);

    std::uint32_t process() const { return m_process; }

    /// Writes the ProcessRecord.
    void write_process();

    /// A ClockRecord of now.
    void write_clock();

    /// A thread that records name. Its name is read from /proc when it is new.
    void see_thread(std::uint32_t thread);

    /// The name that the program gave a thread through NVTX; it stays.
    void name_thread(std::uint32_t thread, const std::string& name);

    /// Reads the names again, for threads are often named after they begin, and writes those that changed.
    void refresh_threads();

    /// A stream as CUPTI describes it, and its name, in either order: each record written has all that is known.
    void describe_stream(const StreamRecord& stream);
    void name_stream(std::uint32_t context, std::uint32_t stream, StringId name);

private:
    struct KnownThread {
        std::uint32_t order = 0;
        bool named_by_program = false;
        std::string name;
    };
    void write_thread(std::uint32_t thread, const KnownThread& known);

    RecordSink& m_sink;
    const std::uint32_t m_process;
    const bool m_with_threads;
    std::mutex m_mutex;
    std::map<std::uint32_t, KnownThread> m_threads;
    std::map<std::pair<std::uint32_t, std::uint32_t>, StreamRecord> m_streams;
};

/// The OS's id of the calling thread.
std::uint32_t this_thread();

/// CLOCK_REALTIME, which is CUPTI's axis on Linux, and CLOCK_MONOTONIC at one moment.
ClockRecord read_clocks();

}  // namespace lanes
