// SPDX-License-Identifier: MIT
// Ranges and marks that the program itself hands to the probe (lanescope.h), written
// without CUPTI: so a process that never calls CUDA has them too, a loader of batches
// for example.
//
// Each thread gathers its own in a small buffer, which leaves in one chunk when it is
// full or, outside of every range, 20 ms old. Ids lie beyond those that CUPTI gives
// NVTX's. Cost: a clock reading, an uncontended lock and, for a start, a look-up of the
// name; no allocation but for a thread's first range of a name.
#pragma once

#include "probes/cupti/process_facts.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace lanes {

class OwnRanges {
public:
    /// `sink` must outlive it. Writes the process's record.
    explicit OwnRanges(RecordSink& sink);

    /// Threads that still use it must have ended, or go on to use another one.
    ~OwnRanges();
    OwnRanges(const OwnRanges&) = delete;
    OwnRanges& operator=(const OwnRanges&) = delete;

    void push(const char* name);
    void pop();
    void mark(const char* name);
    void name_thread(const char* name);

    /// Writes what the calling thread has gathered; what all have.
    void flush();
    void flush_all();

private:
    struct OfThread;
    OfThread& of_thread();
    void add(OfThread& thread, const char* name, RangeRecord::Edge edge, std::uint64_t id);
    void write(OfThread& thread);
    StringId id_of(OfThread& thread, std::string_view name);

    RecordSink& m_sink;
    ProcessFacts m_facts;
    const std::uint64_t m_number;  ///< of this one, among all of the process
    std::atomic<std::uint64_t> m_next_id;
    std::mutex m_mutex;
    std::vector<std::shared_ptr<OfThread>> m_threads;
};

}  // namespace lanes
