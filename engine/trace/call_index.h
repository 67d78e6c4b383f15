// SPDX-License-Identifier: MIT
// Calls by their correlation ids. Private to engine/trace.
#pragma once

#include "engine/trace/trace.h"

#include <functional>
#include <vector>

namespace lanes {

/// Finds the call that has a correlation id. A process numbers its calls nearly without gaps, so its ids index an
/// array. Ids with large gaps (a trace of another tool may have invented them) are sorted instead and found by binary
/// search.
class CallIndex {
public:
    static constexpr Row absent = no_row - 1;  ///< no call has this id

    /// Indexes the calls that have an id. A call's row is the number of kept calls before it, or no_row if the call
    /// itself is not kept. If several calls have one id, the first one counts. Cost: linear and at most 16 bytes a call
    /// for dense ids, else n log n and 8 bytes a call.
    void fill(const std::vector<ApiCallRecord>& calls, const std::function<bool(const ApiCallRecord&)>& kept);
    /// Replaces each row `r` by `by[r]`.
    void replace(const std::vector<Row>& by);
    /// The row of the call with this id; `absent` if there is none, as for id 0, which means "no call". Cost: one array
    /// access, or log n. Several threads may ask at once.
    Row at(std::uint32_t process, std::uint32_t correlation) const;

private:
    struct Entry {
        std::uint32_t correlation;
        Row row;
    };
    struct Process {
        std::uint32_t id = 0;
        std::uint32_t first = no_id, last = 0;  ///< correlation ids
        std::size_t count = 0;
        std::vector<Row> rows;  ///< dense ids: by id - first
        std::vector<Entry> sorted;  ///< other ids
    };
    std::vector<Process> m_processes;  ///< by id
};

}  // namespace lanes
