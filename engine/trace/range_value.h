// SPDX-License-Identifier: MIT
// How the value of a range is written.
#pragma once

#include "engine/trace/trace.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanes {

/// "4096", "-1", "0.5", "Sum", or of an id 16 hexadecimal digits: "0x00000000000004d2". A number is given with all
/// digits that are needed to read the same one; one that is no integer has a point or an exponent.
std::string text_of(const Trace& trace, const RangeValue& value);

/// "communicator=0x00000000000004d2 call=3 bytes=4096 op=Sum"; "" if the range has none.
std::string values_text(const Trace& trace, Row range);

/// The text of an id, which text_of() gives.
std::string text_of_id(std::uint64_t id);

/// The inverse of text_of for what is not a text: sets value and type. False: `text` is no number and no id.
bool read_number(std::string_view text, RangeValueRecord& record);

}  // namespace lanes
