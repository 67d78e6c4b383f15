// SPDX-License-Identifier: MIT
// What a thread says it does while it is in no call: the innermost of its named ranges (NVTX, Python) and
// of PyTorch's operators.
//
// Of nested operators the outermost counts. Ranges that never ended are left out, those of samples, which
// sampled_places.h has, and frames of Python that only call the next one. Those longer than half of the
// recording ("main", "train") say little about what was done when: only around() knows them.
#pragma once

#include "engine/trace/event_ref.h"
#include "engine/trace/trace.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanes {

/// Trace must outlive it. Cost: to build, n log n of the ranges; 8 bytes each.
class ThreadRanges {
public:
    explicit ThreadRanges(const Trace& trace);

    /// A stretch of a thread's time; into Trace::ranges, no_row: it is in none.
    struct RangeStretch {
        Ns start;
        Row range;
    };
    /// The last part of `within` of the thread, from RangeStretch::start to the end of `within`. Cost: log n, and the
    /// depth of nested ranges.
    RangeStretch last(Row thread, Interval within) const;

    /// The innermost range at `time` that is no operator: a module, a step of the user's; no_row: it is in none. Cost:
    /// log n, and the depth of nested ranges.
    Row named_at(Row thread, Ns time) const;

    /// The range of that name that the thread ended last in `within`; no_row: none of its last 64. Cost: log n.
    Row ended_in(Row thread, std::string_view name, Interval within) const;

    /// The shortest range of `thread` that contains nine tenths of `stretch`; else the shortest of another thread of
    /// its process that contains half of it; into Trace::ranges, no_row: none. Looks at the last 64 of each thread.
    /// Cost: log n for each thread.
    Row around(Row thread, Interval stretch) const;

    /// The name under which time of an event is summed up. Ranges whose names differ only in a number at the end ("step
    /// 7") have that of the first of them.
    StringId name_of(EventRef event) const;

private:
    struct Of {
        std::vector<Row> rows;  ///< by start
        std::vector<Row> around;  ///< by place in `rows`, the place of the range around it; no_row: none
        std::vector<Row> longer;  ///< those longer than half of the recording, by start
    };
    Row shortest(Row thread, Interval stretch, Ns least) const;

    const Trace* m_trace;
    std::vector<Of> m_threads;
    std::unordered_map<StringId, StringId> m_first_name;  ///< of names with a number
};

/// That name as it is shown: "step" of "step 7".
std::string_view shown_name(const Trace& trace, EventTable table, StringId name);

}  // namespace lanes
