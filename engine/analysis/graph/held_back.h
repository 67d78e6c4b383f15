// SPDX-License-Identifier: MIT
// What kept a thread from making its next call: stretches in which it was held, allocated, waited for another thread,
// loaded code or made the context. Between these it made calls, worked, or nothing is recorded for it. While it waited
// for its turn (turns.h), the thread that had the turn decides.
#pragma once

#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/graph/idle_reasons.h"

#include <vector>

namespace lanes {

/// Graph must outlive it. Cost: what the threads did in `range`.
class HeldBack {
public:
    HeldBack(const Graph& graph, Interval range);

    struct Stretch {
        Interval span;
        IdleReason reason = IdleReason::late;
        EventRef because;
    };
    /// How the thread spent `span`, in order of time and without gaps; `late`, without `because`, between the
    /// stretches. Where two stretches overlap, the time counts once. Cost: log n for each turn.
    std::vector<Stretch> within(Row thread, Interval span) const;
    /// The reason that took most of it: the longest that is not `late`, if these are at least a quarter of `span`; else
    /// `late`.
    Stretch most(Row thread, Interval span) const;

private:
    void add(Row thread, Interval span, IdleReason reason, EventRef because);
    void add_own(Row thread, Interval span, std::vector<Stretch>& found) const;
    void add_items(const Graph& graph, const std::vector<CallClass>& classes, Row thread, Interval range);
    void add_loading(const Graph& graph, Interval range);

    const std::vector<Turn>* m_turns;
    std::vector<std::vector<Stretch>> m_threads;  ///< by start
};

}  // namespace lanes
