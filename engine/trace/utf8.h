// SPDX-License-Identifier: MIT
// Names of a recording are bytes: a program may call a range anything. What goes into a text file must be UTF-8
// (RFC 3629: no over-long forms, no surrogates).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanes {

/// Bytes of the UTF-8 sequence that `text` begins with; 0 where it begins with none.
std::size_t utf8_length(std::string_view text);

/// `text` with U+FFFD for each byte that is part of no UTF-8 sequence.
std::string valid_utf8(std::string_view text);

/// The front of `text`, at most `most` bytes, without a sequence cut in two.
std::string_view utf8_head(std::string_view text, std::size_t most);

}  // namespace lanes
