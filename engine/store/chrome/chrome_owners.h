// SPDX-License-Identifier: MIT
// Finds the process of each row of a GPU in a Chrome trace; private to engine/store.
//
// A row of a GPU does not name its process. This matters only in a file into which a tool put several ranks: each rank
// counts its correlations and its GPUs from the beginning. The text that the tool put into the pid to keep the ranks
// apart ("[TP01] 0", "rank 1: 0", 1000000 more) is the same for a rank's GPU and its process.
#pragma once

#include "engine/store/chrome/chrome_event.h"
#include "probes/record.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanes {

/// The last number in a text: 9001 of "[TP01-DP00] 9001". None in "10.0.0.7", which is an address.
std::optional<std::int64_t> last_number(std::string_view text);

/// The number after the word "rank": 3 of "Rank 3 (python)", "rank_3".
std::optional<std::int64_t> rank_in(std::string_view text);

class ChromeOwners {
public:
    /// Takes note that a call of this process is next in the file. If files were joined one after the other, a rank's
    /// rows and calls are together.
    void pass_call(std::uint32_t process)
    {
        m_turns += process != m_passed ? 1 : 0;
        m_passed = process;
    }
    /// The group of a row: rows with one pid belong together. A record's process is this number until all are known.
    std::uint32_t group_of(const ChromeId& pid, std::uint32_t device);

    /// Finds the process of each group. `texts`: of processes whose pid was a text, by number; `idle`: the process if
    /// no call says which. `each(use)` calls use(group, correlation, start) for all operations. Cost: linear in the
    /// calls and, if the pids do not decide, a thousand operations of each group for each process.
    template <class Each>
    void find(const std::vector<ApiCallRecord>& calls, const std::map<std::uint32_t, std::string>& texts,
        std::uint32_t idle, Each each)
    {
        know(calls, idle);
        if (m_processes.size() > 1) {
            find_by_pids(texts);
            each(
                [this](std::uint32_t group, std::uint32_t correlation, Ns start) { weigh(group, correlation, start); });
            decide();
        }
    }
    /// The process of one row.
    std::uint32_t process_of(std::uint32_t group, std::uint32_t correlation, Ns start) const;
    /// The process with most calls.
    std::uint32_t main_process() const { return m_main; }

private:
    struct Weight {
        std::size_t calls = 0;  ///< how many of the group's operations have their call in this process
        std::size_t late = 0;  ///< how many of these calls begin only after the operation
        double apart = 0;  ///< ns from the calls to their operations
    };
    struct Group {
        std::optional<std::int64_t> number;
        std::string text;
        std::uint32_t device = no_id;
        std::vector<std::uint32_t> candidates {};  ///< into m_processes; empty: all
        std::map<std::uint32_t, Weight> weights {};
        std::size_t weighed = 0;
        std::map<std::uint32_t, std::size_t> beside {};  ///< by process: rows that follow a call of it in the file
        std::size_t rows = 0;
        std::uint32_t owner = 0;
        bool is_sure = false;  ///< no other process has rows in it
    };
    void know(const std::vector<ApiCallRecord>& calls, std::uint32_t idle);
    void find_by_pids(const std::map<std::uint32_t, std::string>& texts);
    void weigh(std::uint32_t group, std::uint32_t correlation, Ns start);
    void decide();
    static std::uint64_t key(std::uint32_t process, std::uint32_t correlation)
    {
        return std::uint64_t {process} << 32U | correlation;
    }

    std::vector<Group> m_groups;
    std::unordered_map<std::string, std::uint32_t> m_by_text;
    std::unordered_map<std::int64_t, std::uint32_t> m_by_number;
    std::vector<std::uint32_t> m_processes;  ///< those that made calls, in order of the first
    std::unordered_map<std::uint64_t, Ns> m_calls;  ///< their starts, by process and correlation
    std::uint32_t m_main = 0, m_passed = no_id;
    std::size_t m_turns = 0;  ///< how often the process of calls changes in the file
};

}  // namespace lanes
