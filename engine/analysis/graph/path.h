// SPDX-License-Identifier: MIT
// The way back from an event through what each thing waited for last: the chain behind a wait, and from the end of the
// run its critical path. Nothing on it could have been later without what it ends in being later too.
//
// Invariant: parts come backwards in time and follow one another without a gap, each ends where the one before it in
// the list begins.
#pragma once

#include "engine/analysis/graph/graph.h"
#include "engine/analysis/links.h"

#include <string_view>
#include <vector>

namespace lanes {

/// A part of the way.
struct PathPart {
    enum Kind : std::uint8_t {
        operation,  ///< the GPU works: `event` is the operation
        launch,  ///< from a call's start to the start of the operation that it issued, `event`
        step,  ///< from the end of what `event`, an operation, waited for last to its start
        call,  ///< a thread is in the API call `event`, and not held there
        work,  ///< the host work, read, named range or operator of PyTorch `event`, outside calls
        handover,  ///< from what another thread did to the end of the wait `event`: a put, a get or a join
        inferred,  ///< from what another thread did to where `thread` went on: a turn (turns.h), which no record tells
        between,  ///< `thread` is in nothing that is recorded; `event` is what it did before, if it did anything
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

/// The kind as reports print it: "operation", …
std::string_view name_of(PathPart::Kind kind);

/// Where a way back begins.
struct PathStart {
    EventRef event;  ///< an operation, a call, a host span or a read
    Ns time = 0;  ///< at its end or before
};

/// From `start` back to `until`, at most `most` parts. The part at `until` is cut there. Cost: log n for each part.
std::vector<PathPart> path_back(const Graph& graph, PathStart start, Ns until = 0, std::size_t most = ~std::size_t {0});

/// What ends last of a range: the call or operation that the critical path begins at; of threads that only ask the GPU
/// (Graph::works) where there is nothing else. None where there is neither. Of
/// each stream the last 256 operations are looked at. Cost: log n for each stream and thread.
PathStart last_of(const Graph& graph, Interval range);

/// What one asks about at a moment: the wait of a thread, the first thread's before others', else the operation that
/// runs and began last, else the next that begins. None where there is none.
PathStart asked_at(const Graph& graph, Row first_thread, Ns time);

/// One step back: from an operation to what it waited for last, or to the call that issued it; from a blocked call, a
/// get, a put or a join to what let it go on; from a wait for the next batch of a DataLoader to the worker's fetch that
/// ended last in it, from other ranges to none; from anything else of a thread to what that last waited in before it,
/// or did before it. None: there is nothing before it, or the recording does not say. Cost: log n for each thing of the
/// thread that lies between.
LinkEnd step_back(const Graph& graph, LinkEnd at);

}  // namespace lanes
