// SPDX-License-Identifier: MIT
// How TraceBuilder::finish makes tables out of records; private to engine/trace.
#pragma once

#include "engine/trace/call_index.h"
#include "engine/trace/names/graph_names.h"
#include "engine/trace/progress.h"
#include "engine/trace/trace.h"
#include "engine/trace/trace_records.h"

#include <array>
#include <future>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

namespace lanes {

/// Two ids as one key: a thread, context or correlation belongs to its process.
constexpr std::uint64_t pair_of(std::uint32_t high, std::uint32_t low)
{
    return std::uint64_t {high} << 32U | low;
}

/// The start or the time of a record.
template <class R> Ns begin_of(const R& record)
{
    if constexpr (requires { record.start; }) {
        return record.start;
    } else if constexpr (requires { record.device_time; }) {
        return record.device_time;
    } else {
        return record.time;
    }
}

/// A process and a 64-bit id within it.
using ProcessId = std::pair<std::uint32_t, std::uint64_t>;
struct ProcessIdHash {
    std::size_t operator()(const ProcessId& id) const
    {
        return std::hash<std::uint64_t> {}(id.second * 0x9E3779B97F4A7C15ULL ^ id.first);
    }
};

/// Collects the CPU threads that occur in records. After finish() they have rows.
class TraceThreads {
public:
    void see(std::uint32_t process, std::uint32_t thread, Ns time);
    /// Takes names and orders. `only_seen`: ignore other threads, which are of another repetition.
    void describe(const std::vector<ThreadRecord>& records, bool only_seen);
    /// Fills trace.threads and trace.processes, the latter also with those of trace.streams.
    void finish(Trace& trace, const std::vector<ProcessRecord>& processes);
    Row row(std::uint32_t process, std::uint32_t thread) const;

private:
    struct Seen {
        Ns first = std::numeric_limits<Ns>::max();
        StringId name = 0;
        std::uint32_t order = no_id;
        Row row = no_row;
    };
    std::unordered_map<std::uint64_t, Seen> m_threads;  // by process << 32 | thread
    mutable std::uint64_t m_last_key = 0;  // a cache: most look-ups repeat the thread of the one before
    mutable const Seen* m_last = nullptr;
};

/// Collects the streams that occur in records, by device, process, context and id. After finish() they have rows.
class TraceStreams {
public:
    /// Call it first.
    void know(const std::vector<ContextRecord>& contexts);
    /// `device` no_id: that of the context, by its row or, if none of its operations is there, by its operations.
    /// `firm`: the record has the stream's own context, as operations and descriptions of streams do. Waits and events
    /// have the context that was current, perhaps another GPU's: a stream that only they name is taken for the one of
    /// the same id in the process, if there is just one. Returns its number for row_of().
    std::uint32_t see(
        std::uint32_t process, std::uint32_t device, std::uint32_t context, std::uint32_t stream, bool firm);
    /// Fills trace.streams and trace.contexts.
    void finish(Trace& trace, const std::vector<StreamRecord>& streams, const std::vector<ContextRecord>& contexts);
    Row row(std::uint32_t process, std::uint32_t device, std::uint32_t context, std::uint32_t stream) const;
    Row row_of(std::uint32_t number) const { return m_rows[number]; }

private:
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;  // device, process, context, id
    std::uint32_t device_of(std::uint32_t process, std::uint32_t context) const;
    void resolve_devices();

    struct Known {
        Row row = no_row;
        bool firm = false;
        std::uint32_t number = no_id;  ///< into m_seen; no_id: not seen with this key
    };
    /// The devices of a context.
    struct Devices {
        std::uint32_t told = no_id;  ///< its row says
        std::uint32_t used = no_id;  ///< by the first of its operations
        bool agrees = false;  ///< some operation is on the device of its row
    };
    std::map<std::uint64_t, Devices> m_context_devices;  // by process << 32 | context
    std::map<Key, Known> m_streams;
    std::vector<Key> m_seen;
    std::vector<Row> m_rows;  // of those in m_seen
    struct Recent {
        Key key {};
        Known known;
        bool used = false;
    };
    static std::size_t place_of(const Key& key);
    mutable std::array<Recent, 256> m_recent;  // a cache of look-ups, each at its key's place_of()
};

/// Whether work on that many rows is worth a thread. If not, or if no thread can be started, the waiter does the work.
inline std::launch beside_from(std::size_t rows)
{
    constexpr std::size_t worth_a_thread = 100'000;
    return rows < worth_a_thread ? std::launch::deferred : std::launch::async | std::launch::deferred;
}

class TraceAssembly {
public:
    TraceAssembly(Trace& trace, TraceRecords& records, const Progress& progress)
        : m_trace(trace)
        , m_records(records)
        , m_progress(progress)
    {
    }
    void run();

private:
    /// One value for each kernel, copy and memset record.
    using OfOperations = std::array<std::vector<std::uint32_t>, 3>;

    void find_window();
    bool in_window(std::uint32_t process, Ns time) const
    {
        if (time < m_window_begin || time > m_window_end) {
            return false;
        }
        if (m_parts.empty()) {
            return true;
        }
        const auto part = m_parts.find(process);
        return part == m_parts.end() || (time >= part->second.time.start && time <= part->second.time.end);
    }
    bool has_window() const
    {
        return !m_parts.empty() || m_window_begin != std::numeric_limits<Ns>::min()
            || m_window_end != std::numeric_limits<Ns>::max();
    }
    bool is_part() const { return !m_parts.empty() || m_records.cut.has_value(); }
    void take_parts(std::vector<WindowRecord>& edges);
    void describe_parts();
    void describe_unflushed();
    void describe_communicators();
    bool is_timed(Ns start, Ns end) const;
    void each_timed(auto use);
    bool is_unset(Ns end, bool moment, Ns first, Ns last) const;
    void leave_out_unset();
    void leave_out_ranges(std::vector<RangeRecord>& ranges, Ns first, Ns last);
    /// The outermost call with a correlation id; no_row: none, or one that is not kept.
    Row call_of(std::uint32_t process, std::uint32_t correlation) const;
    /// Whether a record is inside the window: its call is, or it has none and began in the window itself.
    bool is_kept(std::uint32_t process, std::uint32_t correlation, Ns start) const;
    struct Odd {
        std::uint64_t timeless = 0, backward = 0;  ///< without a time; ending before they start
    };
    template <class R> Odd keep_correlated(std::vector<R>& records) const;
    template <class R> void keep_begun(std::vector<R>& records);

    /// Replaces the device numbers of all records, which are each process's own, by ids of the trace.
    void tell_devices_apart();
    void index_calls();
    void keep_window();
    void name_earlier_captures();
    void keep_samples();
    void keep_values();
    void see_all();
    void see_streams();
    void see_threads();
    void nest_calls(const std::vector<ApiCallRecord>& calls);
    void end_nesting();
    void make_origin();
    template <class Record, class Column> auto cell_from(const Record& record, const Column& column) const;
    template <class Table> void make_rows(Table table, auto mend);
    template <class Table> void make_rows(Table table);
    void make_calls();
    void make_steps();
    void sort_operations();
    void find_rows();
    void make_operations();
    template <class Use> void each_operation(Use use) const;
    void place_operations();
    void cut_overlong();
    void describe_operations();
    void order_kernel_details();
    void name_graph_nodes();
    struct KernelName {
        StringId full = 0;  // demangled; 0: not needed yet
        StringId brief = 0;
        StringId bare = 0;
    };
    const KernelName& texts_of(StringId recorded);
    StringId name_by_step(Row call, std::uint32_t graph_node);
    bool was_short_once(StringId shown, const KernelName& known) const;
    StringId name_by_record(const KernelLaunch& launch);
    void make_syncs();
    void make_events();
    void make_ranges();
    void join_ranges();  ///< joins the two edges of each
    void sort_ranges();
    void nest_ranges();  ///< sets Range::depth
    void make_autograd();
    /// Calls `take(id, row)` with each range that is no mark, in the order of their records.
    void each_range_id(auto take) const
    {
        for (std::size_t i = 0; i < m_range_ids.size(); ++i) {
            if (!m_range_ids[i].mark) {
                take(m_range_ids[i], m_range_rows[i]);
            }
        }
    }
    void make_range_values();
    void make_clocks();
    void find_forward();
    void make_spans();
    void make_host_functions();
    void make_query_spins();
    void make_overheads();
    void make_memory();
    void see_counters();
    void make_counters();
    void make_devices();
    void make_meta();
    void measure();

    Trace& m_trace;
    TraceRecords& m_records;
    const Progress& m_progress;
    TraceThreads m_threads;
    TraceStreams m_streams;
    std::size_t m_repetitions = 0;  ///< windows
    struct Part {
        Interval time {};
        std::size_t number = 0;  ///< among those of its process, from 1; 0: none of them is kept
    };
    std::map<std::uint32_t, Part> m_parts;  ///< for programs recorded in part: by process
    Ns m_window_begin = std::numeric_limits<Ns>::min();
    Ns m_window_end = std::numeric_limits<Ns>::max();
    Ns m_origin = 0;
    std::uint64_t m_untimed = 0, m_migrations = 0;
    std::uint64_t m_timeless = 0;  ///< records without a time, except operations
    std::uint64_t m_backward = 0;  ///< records that end before they start
    std::uint64_t m_overlong = 0;
    Ns m_most_cut = 0;  ///< the most that was cut off an overlong operation
    std::uint64_t m_clock_violations = 0;  ///< operations that start before their calls
    CallIndex m_calls;  ///< the outermost ones; no_row: outside the window
    std::vector<Row> m_outermost;  // by call: its outermost call, perhaps itself
    GraphNames m_graph_names {{}};
    struct RangeId {
        std::uint64_t id;
        std::uint32_t process;
        bool mark;
    };
    // By range, in the order of their records; only if records refer to ranges.
    std::vector<RangeId> m_range_ids;
    std::vector<Row> m_range_rows;
    std::vector<StringId> m_step_names;  // by step; 0: none
    std::vector<KernelName> m_kernel_names;  // by the recorded name
    OfOperations m_stream_numbers;  // see TraceStreams::see
    OfOperations m_rows;
    // The last members: their destructors wait before other members are destroyed.
    std::future<void> m_nesting;  // nest_calls()
    std::future<void> m_sorting;  // find_rows()
};

}  // namespace lanes
