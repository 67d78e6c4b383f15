// SPDX-License-Identifier: MIT
// Operations without a call: the recording began after they were issued, or does not say by whom. When one of them was
// submitted is not known, only by when: by the time it began, or earlier where its correlation id says so. Whether a
// call waited for it is known only where both answers agree.
#pragma once

#include "engine/analysis/blocking/issue_order.h"
#include "engine/trace/trace.h"

#include <memory>
#include <vector>

namespace lanes {

/// Cost: linear to build, nothing where every operation has its call.
class CalllessWork {
public:
    explicit CalllessWork(const Trace& trace);

    /// Operations of a stream that were submitted by `from` or later: each may have been before a moment, or after it.
    struct From {
        Row stream;
        Ns from;
    };
    /// One a stream, by stream. Null: there are none.
    using Reach = std::shared_ptr<const std::vector<From>>;

    bool none() const { return m_streams.empty(); }
    /// By when an operation without a call was submitted at the latest. Cost: log n.
    Ns submitted(Row operation) const;
    /// Adds the operations of `stream` that were submitted by `from` or later.
    void extend(Reach& reach, Row stream, Ns from) const;
    static void extend(Reach& reach, const Reach& other);
    /// Whether one of them would hold a call from `start` to `end`. Cost: log n, and what ran meanwhile.
    bool hold(const Reach& reach, Ns start, Ns end) const;
    /// How many operations of `stream` were submitted by `from` or later. Cost: log n.
    std::size_t count(Row stream, Ns from) const;

private:
    struct OfStream {
        std::vector<Interval> times;  ///< by start
        std::vector<Ns> submitted;  ///< by when they were at the latest, those up to here
        std::vector<Ns> latest;  ///< the last end of those up to here
        Reach all;  ///< begins after all of them
    };
    const Trace& m_trace;
    IssueOrder m_order;
    std::vector<OfStream> m_streams;  ///< by stream; empty: there are none
};

}  // namespace lanes
