// SPDX-License-Identifier: MIT
// The rows of an answer by their ids, which `--row` of the commands and of the window takes. Ids are unique in a file:
//   operation:12  call:0  range:7  host:3  read:1    an event (words/event_id.h)
//   wait:17                                          a blocked stretch of a thread
//   finding:pageable-async-copy                      a finding of `lanes report`, by the name that What if has for it
//   iteration:4                                      one of `lanes report --iterations`, by its number there and in
//                                                    the window: from 1
#pragma once

#include "engine/analysis/findings/finding.h"
#include "engine/analysis/words/event_id.h"
#include "engine/trace/event_ref.h"
#include "engine/trace/units.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lanes {

struct Trace;

std::string finding_id(const Finding& finding);
/// Of iteration `index`, from 0: "iteration:1" for the first.
std::string iteration_id(std::size_t index);

struct FoundRow {
    EventRef event;  ///< what it is about: itself, the call that waits, the longest evidence; none of an iteration
    Interval span;  ///< from its first to its last event
};

/// Throws std::invalid_argument with one line that says what was found and what was expected. Cost: none for events;
/// that of find_blocking() for a wait, and of a report for findings and iterations.
FoundRow find_row(const Trace& trace, std::string_view id);

}  // namespace lanes
