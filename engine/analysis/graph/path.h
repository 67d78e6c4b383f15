// SPDX-License-Identifier: MIT
// The path back from an event, through what each event waited for last: the causes of a wait or, from the end of the
// run, its critical path. If anything on the path had been later, the end of the path would have been later, too.
//
// Invariant: parts are listed backwards in time without gaps; each ends where the part before it in the list begins.
#pragma once

#include "engine/analysis/graph/graph.h"
#include "engine/analysis/graph/links.h"

#include <string_view>
#include <vector>

namespace lanes {

/// A part of the path.
struct PathPart {
    enum Kind : std::uint8_t {
        operation,  ///< the GPU works: `event` is the operation
        launch,  ///< from a call's start to the start of the operation that it issued, `event`
        step,  ///< from the end of what the operation `event` waited for last, to its start
        call,  ///< a thread is in the API call `event`, not blocked
        work,  ///< host work, a read, a named range or a PyTorch operator, `event`, outside calls
        handover,  ///< from what another thread did to the end of the wait `event`: a put, a get or a join
        inferred,  ///< from what another thread did to where `thread` continued: a turn (turns.h), inferred
        between,  ///< nothing is recorded of `thread`; `event` is what it did before, if anything
        unknown,  ///< the recording does not say what `event` waited for
    };
    Interval span;
    Kind kind = unknown;
    StartCause cause = StartCause::unknown;  ///< of a launch or step
    EventRef event;
    Row thread = no_row;  ///< of what a thread does
    friend bool operator==(const PathPart&, const PathPart&) = default;
};
inline constexpr std::size_t path_kinds = 9;

/// "operation", …: as in reports.
std::string_view name_of(PathPart::Kind kind);

/// Where a path back begins.
struct PathStart {
    EventRef event;  ///< an operation, a call, a host span or a read
    Ns time = 0;  ///< the event's end, or earlier; later: the path begins with what its thread does until then
};

/// The path from `start` back to `until`, cut there; at most `most` parts. Cost: log n for each part.
std::vector<PathPart> path_back(const Graph& graph, PathStart start, Ns until = 0, std::size_t most = ~std::size_t {0});

/// The call or operation in `range` that ends last, where the critical path begins; none if there is none. Threads that
/// only query the GPU (Graph::works) count only if there is nothing else. Looks at the last 256 operations of each
/// stream. Cost: log n for each stream and thread.
PathStart last_of(const Graph& graph, Interval range);

/// What a question about `time` means: the wait of a thread then, preferably of the first thread; else the running
/// operation that began last; else the next operation; else none.
PathStart asked_at(const Graph& graph, Row first_thread, Ns time);

/// One step back: from an operation to what it waited for last, or to its call; from a blocked call, a get, a put or a
/// join to what released it; from a wait for the next batch of a DataLoader to the worker's fetch that ended last in
/// it; from any other event of a thread to the last wait before it, or to what the thread did before it. None for other
/// ranges, if there is nothing before, or if the recording does not say. Cost: log n for each event of the thread in
/// between.
LinkEnd step_back(const Graph& graph, LinkEnd at);

}  // namespace lanes
