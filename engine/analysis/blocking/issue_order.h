// SPDX-License-Identifier: MIT
// By when an operation without a call was issued at the latest, by its correlation id. CUPTI and ROCm number the calls
// of a process as they begin: what has a smaller id than a call was issued before that call. So the work of a trace
// that begins in the middle of a program is known to be older than its first calls.
#pragma once

#include "engine/trace/trace.h"

#include <unordered_map>
#include <vector>

namespace lanes {

class IssueOrder {
public:
    /// Knows nothing of a process whose ids do not rise with time: numbered anew, or of several recordings.
    /// Cost: n log n of the calls; nothing where every operation has its call.
    explicit IssueOrder(const Trace& trace);

    /// What has this id was issued before this time, the start of a call; INT64_MAX: not known. Cost: log n.
    Ns before(std::uint32_t process, std::uint32_t correlation) const;

private:
    struct Numbered {
        std::uint32_t correlation;
        Ns start, end;  ///< the earliest of this and all with larger ids
    };
    std::unordered_map<std::uint32_t, std::vector<Numbered>> m_calls;  ///< by process; by id
};

}  // namespace lanes
