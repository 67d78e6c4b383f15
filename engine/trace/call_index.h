// SPDX-License-Identifier: MIT
// Calls by their correlation ids. Private to engine/trace.
#pragma once

#include "engine/trace/trace.h"

#include <functional>
#include <map>
#include <vector>

namespace lanes {

/// Which call has a correlation id: a process gives its ids out one behind the other or nearly so, so that each has a
/// place of its own in an array; the ids of one that does not (another tool's trace may have made them up) are sorted.
class CallIndex {
public:
    static constexpr Row absent = no_row - 1;  ///< no call has this id

    /// Of the calls in the order of `calls` those with an id, each with its row: how many before it are `kept`, or
    /// no_row if it is not. Of several with one id the first counts. Cost: linear, where ids lie close together at most
    /// 16 bytes a call; else n log n and 8 bytes a call.
    void fill(const std::vector<ApiCallRecord>& calls, const std::function<bool(const ApiCallRecord&)>& kept);
    /// Puts other rows in place of the rows.
    void replace(const std::vector<Row>& by);
    /// Not of id 0, which means none. Cost: one look at an array, or log n.
    Row at(std::uint32_t process, std::uint32_t correlation) const;

private:
    struct Entry {
        std::uint32_t correlation;
        Row row;
    };
    struct Process {
        std::uint32_t first = no_id, last = 0;
        std::size_t count = 0;
        std::vector<Row> rows;  ///< from `first` to `last`; or
        std::vector<Entry> sorted;
    };
    std::map<std::uint32_t, Process> m_processes;
    mutable const Process* m_last = nullptr;  // runs of one process are the rule
    mutable std::uint32_t m_last_id = 0;
};

}  // namespace lanes
