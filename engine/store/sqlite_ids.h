// SPDX-License-Identifier: MIT
// The processes, threads and times in the rows of a file; private to engine/store.
#pragma once

#include "engine/store/sqlite_table.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

namespace lanes {

/// What was seen in the rows read so far.
struct SeenInRows {
    std::uint64_t skipped = 0;  ///< rows without a valid time
    std::uint64_t threadless = 0;
    // For calls and operations.
    Ns first_start = std::numeric_limits<Ns>::max(), last_end = std::numeric_limits<Ns>::min();
    std::set<std::uint32_t> processes, devices;
    std::set<std::int64_t> threads;  ///< globalTid without its highest bits

    void merge(SeenInRows&& other);
};

/// One for each connection: it keeps the last look-up of each kind, since successive rows tend to repeat it.
class SqliteIds {
public:
    struct Ids {
        std::uint32_t process, thread;
    };

    /// Reads what a recording of ours says about them.
    void read(UntrustedFile& file);
    const std::unordered_map<std::int64_t, Ids>& processes() const { return m_processes; }  ///< `thread`: the parent
    const std::unordered_map<std::int64_t, Ids>& threads() const { return m_threads; }  ///< by globalTid

    /// The process of a globalPid, or of a globalTid.
    std::uint32_t process(const TableRows& rows, int column);
    /// `used`: the thread did something that is shown. NULL is no thread, and is counted.
    Ids thread(const TableRows& rows, int column, bool used = true);
    void device(std::uint32_t device);
    void times(Ns start, Ns end)
    {
        seen.first_start = std::min(seen.first_start, start);
        seen.last_end = std::max(seen.last_end, end);
    }

    /// The next row of `rows` whose columns `times` are all times. Nsight's schema allows NULL there: such rows, and
    /// those with impossible times (is_sane()), are left out and counted.
    bool next_timed(TableRows& rows, std::initializer_list<int> times);
    bool has_time(const TableRows& rows, std::initializer_list<int> times)
    {
        for (const int column : times) {
            if (rows.is_null(column) || !is_sane(rows.number(column))) {
                ++seen.skipped;
                return false;
            }
        }
        return true;
    }
    /// Whether an operation, with start and end in columns 0 and 1, does not end before it starts: else its length is
    /// not known.
    bool has_length(const TableRows& rows)
    {
        const bool has = has_time(rows, {0, 1});
        const bool turned_round = has && rows.number(1) < rows.number(0);
        seen.skipped += turned_round ? 1 : 0;
        return has && !turned_round;
    }

    SeenInRows seen;

private:
    std::unordered_map<std::int64_t, Ids> m_processes;  // by globalPid
    std::unordered_map<std::int64_t, Ids> m_threads;
    std::int64_t m_last_global_pid = -1, m_last_global_tid = -1;
    std::uint32_t m_last_pid = 0, m_last_device = no_id;
    Ids m_last_thread {0, 0};
    bool m_last_used = false;
};

}  // namespace lanes
