// SPDX-License-Identifier: MIT
// Ranges, marks and values that the program itself hands to the probe (lanescope.h), written
// without CUPTI: so a process that never calls CUDA has them too, a loader of batches
// for example.
//
// Each thread gathers its own in a small buffer, which leaves in one chunk when it is
// full or, outside of every range, 20 ms old. Ids are above those that CUPTI gives
// NVTX's. While lanes record --idle or --every waits for the next part, ranges that ended are dropped, so that a job
// which runs for weeks does not fill the disk; those that are still open are kept. Cost: a clock reading, an
// uncontended lock and, for a start, a look-up of the name; no allocation but for a thread's first range of a name.
#pragma once

#include "probes/cupti/process_facts.h"
#include "probes/inject/given_range.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace lanes {

class OwnRanges {
public:
    /// `sink` must outlive it. Writes the process's record. `are_kept`: whether what a thread has gathered since a
    /// moment is recorded; null: it is.
    explicit OwnRanges(RecordSink& sink, bool (*are_kept)(Ns since) = nullptr);

    /// Threads that still use it must have ended, or go on to use another one.
    ~OwnRanges();
    OwnRanges(const OwnRanges&) = delete;
    OwnRanges& operator=(const OwnRanges&) = delete;

    void push(const char* name);
    void pop();
    void mark(const char* name);
    /// `device`: one of the process's, or no_id.
    void count(const char* name, double value, CounterRecord::Unit unit, std::uint32_t device);

    /// A range of an operator of PyTorch's, with autograd's number for it (operator_range.h), -1: none, and the shapes
    /// of its inputs, "": not known. Ends with pop(). An operator's backward is in a further range, "backward of" the
    /// range around the operator, its module. That is known as long as only one thread calls operators forward, since
    /// each thread counts them anew.
    void push_operator(const char* name, std::int64_t sequence, const char* shapes);
    void name_thread(const char* name);

    /// A range of a domain of NVTX's, with the values that its start and its end have. Ranges of different domains need
    /// not be nested in each other. pop() returns false if the thread has no range of the domain open.
    void push_in_domain(const GivenRange& range);
    bool pop_in_domain(const GivenRange& range);

    /// A range of sampled_domain that another thread, `thread`, was in. Kept with the calling thread's.
    void sampled(std::uint32_t thread, std::string_view name, Ns start, Ns end);

    /// The interval of such samples, in ns, for the recording.
    void note_sampling(Ns interval);

    /// Writes what the calling thread has gathered; what all have.
    void flush();
    void flush_all();

private:
    struct OfThread;
    struct Name;
    OfThread& of_thread();
    void write_if_due(OfThread& thread, Ns time);
    void add(OfThread& thread, StringId name, RangeRecord::Edge edge, std::uint64_t id, StringId domain = 0,
        std::int64_t sequence = -1, std::uint32_t forward_thread = 0, std::uint32_t color = 0);
    void add_values(OfThread& thread, std::uint64_t id, const GivenRange& range, std::size_t first_place);
    void note_communicator(const GivenRange& range);
    /// The id of a text of a value: of these there may be many, each for a short time.
    StringId value_text(OfThread& thread, std::string_view text);
    void write(OfThread& thread);
    void drop_ended(OfThread& thread);
    /// `id` is that of `name`; returns what the thread keeps of it, nullptr once it has too many names.
    Name* kept(OfThread& thread, std::string_view name, StringId& id);
    void begin(OfThread& thread, std::string_view name, bool is_operator, bool is_outer, std::int64_t sequence = -1,
        std::uint32_t forward_thread = 0);
    void note_forward(OfThread& thread, std::int64_t sequence);
    StringId outer_of(std::int64_t sequence) const;
    /// The index of the thread that called the operator forward; several_threads if that is not known.
    std::uint32_t forward_thread_of(std::int64_t sequence) const;

    RecordSink& m_sink;
    bool (*const m_are_kept)(Ns);
    ProcessFacts m_facts;
    const std::uint64_t m_number;  ///< of this one, among all of the process
    std::atomic<std::uint64_t> m_next_id;
    std::array<std::atomic<std::uint64_t>, 1U << 14U> m_outer {};  ///< of the last numbers: see outer_entry()
    std::mutex m_mutex;
    std::vector<std::shared_ptr<OfThread>> m_threads;
};

}  // namespace lanes
