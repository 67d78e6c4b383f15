// SPDX-License-Identifier: MIT
// Makes records from the events of a Chrome trace; private to engine/store.
#pragma once

#include "engine/store/chrome/chrome_async.h"
#include "engine/store/chrome/chrome_autograd.h"
#include "engine/store/chrome/chrome_event.h"
#include "engine/store/chrome/chrome_ids.h"
#include "engine/store/chrome/chrome_owners.h"
#include "engine/store/chrome/chrome_told.h"
#include "engine/store/own_head.h"
#include "engine/trace/large_vector.h"
#include "engine/trace/trace_builder.h"

#include <algorithm>
#include <map>
#include <simdjson.h>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lanes {

class ChromeRecords {
public:
    /// How much of the file, 0 to 1, has been read up to and with the next events; to estimate the rest.
    void expect(double fraction) { m_fraction = fraction; }
    /// One key of the whole file.
    void say(std::string_view key, const simdjson::dom::element& value);
    void take(const ChromeEvent& event, const ChromeBatch& batch);
    /// Counts what became no event, by the id of the text that names it.
    void leave_out(const char* what, std::size_t count) { m_unshown[what] += count; }
    /// The recording, of PyTorch's profiler or of another program.
    Trace finish(const Progress& progress);

private:
    struct Ids {
        std::uint32_t process, thread;
    };
    struct Open {  ///< ranges that have begun but not ended yet
        std::vector<std::uint64_t> ranges;
    };

    static std::uint64_t pair_key(std::uint32_t high, std::uint32_t low) { return std::uint64_t {high} << 32U | low; }

    std::uint32_t process_of(const ChromeId& id);
    std::uint32_t thread_of(const ChromeId& id);
    std::uint32_t stream_of(const ChromeId& id, std::uint32_t otherwise);
    std::uint32_t correlation_of(const ChromeId& id);
    Ids ids_of(const ChromeEvent& event);

    template <class R> void add(std::vector<R>& records, const R& record)
    {
        if (records.size() == records.capacity()) {
            // Reserves what the whole file is likely to need, within reason: growing copies the records.
            const auto size = static_cast<double>(records.size());
            reserve_large(records,
                1024
                    + static_cast<std::size_t>(
                        std::clamp(size / std::max(m_fraction, 1e-6) * 1.02, size * 1.2, size * 8)));
        }
        records.push_back(record);
    }

    void use(Ids ids);
    void complete(const ChromeEvent& event, const ChromeBatch& batch);
    void kernel(const ChromeEvent& event);
    void copy(const ChromeEvent& event);
    void memset(const ChromeEvent& event);
    /// Takes an event of rocprofv3 that is work of a GPU; false: it is something else.
    bool rocprof_operation(const ChromeEvent& event);
    /// Takes an event of XLA's profiler (JAX, TensorFlow) on a GPU's stream; false: it is on none.
    bool xla_operation(const ChromeEvent& event);
    void call(const ChromeEvent& event, ApiCallRecord::Api api);
    void sync(const ChromeEvent& event);
    void overhead(const ChromeEvent& event);
    void range(const ChromeEvent& event, RangeRecord::Edge edge, std::uint64_t id);
    void edge(const ChromeEvent& event);
    void asynchronous(const ChromeEvent& event);
    void mark(const ChromeEvent& event);
    void metadata(const ChromeEvent& event);
    using Values = std::span<const ChromeBatch::Value>;
    void counter(const ChromeEvent& event, Values values);
    /// Takes the state of PyTorch's allocator after an allocation or a free; false: the event has no totals.
    bool memory(const ChromeEvent& event, Values values);
    void count(CounterRecord record, double value);
    /// Takes what all operations have; the process is known at the end.
    void operation(const ChromeEvent& event, void (ChromeRecords::*take)(const ChromeEvent&));
    void operation(OperationRecord& record, const ChromeEvent& event);

    void give_all();
    void place_operations();
    void name_streams();
    void find_ranks();
    void describe();
    /// As it is shown: "python", "[TP01] 9001", "python, rank 3".
    std::string name_of_process(std::uint32_t process) const;
    std::string not_shown() const;

    TraceBuilder m_builder;
    std::vector<KernelRecord> m_kernels;
    std::vector<CopyRecord> m_copies;
    std::vector<MemsetRecord> m_memsets;
    std::vector<SyncRecord> m_syncs;
    std::vector<EventRecord> m_events;
    std::vector<ApiCallRecord> m_calls;
    std::vector<RangeRecord> m_ranges;
    std::vector<OverheadRecord> m_overheads;
    std::vector<CounterRecord> m_counters;
    std::optional<OwnHead> m_own;  ///< set: the file is one of ours
    OwnRows m_own_rows;
    std::unordered_map<std::uint64_t, std::uint32_t> m_further_rows;  ///< their threads, by process << 32 | tid
    std::vector<UserMark> m_marks;

    ChromeIds m_made_up;  ///< of processes and threads that have no number
    std::unordered_map<std::string, std::uint32_t> m_text_processes;  ///< those with a text as id
    std::map<std::uint32_t, std::string> m_process_texts;  ///< the same, by number
    std::vector<std::uint32_t> m_processes;  ///< in the order of their first event
    ChromeIds m_streams, m_correlations;
    ChromeOwners m_owners;
    std::map<std::uint64_t, Open> m_open;  ///< by process << 32 | thread
    ChromeAsync m_async;
    ChromeAutograd m_autograd;
    ChromeTold m_told {m_builder};
    std::unordered_map<std::uint64_t, std::int64_t>
        m_sizes;  ///< by process << 32 | correlation, of calls that name one
    std::map<std::uint32_t, std::string> m_process_names, m_process_labels;
    std::map<std::uint64_t, std::string> m_thread_names;  ///< by process << 32 | thread
    std::unordered_set<std::uint32_t> m_used_processes;
    std::unordered_set<std::uint64_t> m_used_threads;  ///< by process << 32 | thread
    std::uint64_t m_last_used = 0;
    std::unordered_set<std::uint64_t> m_recorded;  ///< event records that a sync names: owner << 32 | correlation
    struct Device {
        std::string name;
        std::uint64_t memory = 0;
        std::uint32_t multiprocessors = 0, major = 0, minor = 0;
    };
    std::map<std::uint32_t, Device> m_devices;
    std::unordered_map<std::uint32_t, std::uint32_t> m_xla_devices;  ///< by the process that stands for the device
    std::unordered_map<std::uint64_t, std::uint32_t> m_xla_streams;  ///< by process << 32 | thread
    std::unordered_set<std::uint32_t> m_used_devices;
    std::map<std::string, std::size_t> m_unshown;  ///< how many, by the id of the text that names them
    double m_fraction = 1;
    Ns m_base = 0;
    std::int64_t m_rank = -1, m_world = 0;
    std::uint64_t m_next_range = 1;
    std::size_t m_timeless = 0;  ///< events without a valid time, and operations without a valid length
    bool m_kineto = false;
};

}  // namespace lanes
