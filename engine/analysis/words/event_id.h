// SPDX-License-Identifier: MIT
// The names of events in one recording: "operation:12", "call:0", "range:7", "host:3", "read:1". The number is the
// event's row, which a file keeps; another file of the same run may have another.
#pragma once

#include "engine/trace/event_ref.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lanes {

std::string row_id(EventRef event);
/// The inverse; nothing if it is no such name. Does not check that there is such a row.
std::optional<EventRef> event_of(std::string_view id);
/// "wait:17": a row of Blocking::calls.
std::string wait_id(Row stretch);
/// The word before the colon of an id, and the number after it; nothing if it has none.
std::optional<std::pair<std::string_view, Row>> split_id(std::string_view id);

}  // namespace lanes
