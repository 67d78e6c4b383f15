// SPDX-License-Identifier: MIT
// Reads an SQLite recording, ours or Nsight's, into a trace; private to engine/store.
//
// Nothing of the file is taken for granted: what a table or a column lacks reads as
// what it would say of nothing. The builder joins and sorts, as it does for records.
#pragma once

#include "engine/store/record_batch.h"
#include "engine/store/sqlite_table.h"

#include <array>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

namespace lanes {

class SqliteReader {
public:
    /// `most_rows` of each table of what happened.
    SqliteReader(const std::string& path, const Progress& progress, std::uint64_t most_rows)
        : m_path(path)
        , m_reading(progress.part(0, reading_share))
        , m_finishing(progress.part(reading_share, 1))
        , m_file(path, m_reading)
        , m_most_rows(most_rows)
    {
    }

    Trace run();

private:
    /// What another reader of the same file found in its calls, on a thread of its own.
    struct Calls {
        std::vector<ApiCallRecord> records;  ///< their names are places in `names`
        std::vector<std::int64_t> names;  ///< as they are stored: this reader has no texts
        std::uint64_t skipped = 0, threadless = 0;
        Ns first_start = 0, last_end = 0;
        std::set<std::uint32_t> used_processes;
        std::set<std::int64_t> used_threads;
    };
    Calls calls_alone();
    void read_work();
    void take(Calls calls);

    struct Text {
        std::string text;
        StringId id = 0;
        bool interned = false;
    };
    struct OwnOperation {
        std::uint32_t channel = no_id;
        bool async = false;
    };
    struct Ids {
        std::uint32_t process, thread;
    };

    void read_meta();
    bool is_export();

    /// The next row of `rows` whose columns `times` all say something. Nsight's schema allows NULL there: such rows are
    /// left out and counted.
    bool next_timed(TableRows& rows, std::initializer_list<int> times);
    bool has_time(const TableRows& rows, std::initializer_list<int> times);

    void check_version(const std::string& version);

    void read_strings();
    StringId text(std::int64_t id);
    StringId known_text(std::int64_t id);

    void read_ids();
    /// The process of a globalPid, or of a globalTid.
    std::uint32_t process(const TableRows& rows, int column);
    /// `used`: the thread did something that is shown. NULL is no thread, which is counted.
    Ids thread(const TableRows& rows, int column, bool used = true);

    void read_calls(Calls& calls);
    void read_own_operations();
    OwnOperation own_operation(std::size_t kind, std::uint64_t row) const;
    /// Ours are stored as they are; elsewhere CUPTI's id of 64 bits is.
    std::uint32_t graph_node(std::int64_t stored) const;

    void see(Ns start, Ns end);

    /// What operations share; the columns are start, end, deviceId, contextId, streamId, correlationId, globalPid.
    void operation(OperationRecord& r, const TableRows& rows);

    void read_kernels();
    void read_graphs();
    void read_copies();
    void read_memsets();
    void read_syncs();
    void read_events();
    void read_overheads();
    void read_memory();
    void read_ranges();
    void read_own();
    void read_counters();
    /// What Nsight Systems sampled of the GPUs' hardware, where the program has work on them.
    void read_gpu_metrics();
    std::vector<UserMark> read_marks();

    /// All that the export names, far more than the recording uses: it lists every process of the machine.
    void read_target();
    void read_threads();
    void read_devices();

    Trace finish();

    static constexpr double reading_share = 0.75;  // the rest is joining and sorting
    std::string m_path;
    Progress m_reading, m_finishing;
    UntrustedFile m_file;
    std::uint64_t m_most_rows;
    TraceBuilder m_builder;
    bool m_own = false;
    std::map<std::string, std::string> m_meta;
    std::uint64_t m_skipped = 0, m_threadless = 0;
    std::unordered_map<std::int64_t, Text> m_texts;
    struct RecentText {
        std::int64_t stored = -1;
        StringId id = 0;
    };
    std::array<RecentText, 1024> m_recent_texts;  ///< the last look-ups, each at its stored id modulo their number
    std::unordered_map<std::int64_t, Ids> m_processes;  ///< by globalPid; `thread` is the parent
    std::unordered_map<std::int64_t, Ids> m_threads;  ///< by globalTid
    std::int64_t m_last_global_pid = -1, m_last_global_tid = -1;
    std::uint32_t m_last_pid = 0, m_last_device = no_id;
    Ids m_last_thread {0, 0};
    bool m_last_used = false;
    // Of calls and operations.
    Ns m_first_start = std::numeric_limits<Ns>::max(), m_last_end = std::numeric_limits<Ns>::min();
    std::set<std::uint32_t> m_used_processes, m_used_devices;
    std::set<std::int64_t> m_used_threads;
    std::array<std::vector<OwnOperation>, 4> m_own_operations;
};

}  // namespace lanes
