// SPDX-License-Identifier: MIT
// UTF-8 (RFC 3629: no over-long forms, no surrogates). Names in a recording are arbitrary bytes, since a program may
// name a range anything; text files must be UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanes {

/// The length in bytes of the UTF-8 sequence at the start of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// Whether a byte belongs to a sequence that began before it.
constexpr bool continues_utf8(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// The code point at the start of `text`; 0 if there is no sequence.
char32_t code_point_of(std::string_view text);

/// `text` with U+FFFD in place of each byte that is not part of a UTF-8 sequence.
std::string valid_utf8(std::string_view text);

/// The start of `text`, at most `most` bytes; no sequence is cut in two.
std::string_view utf8_head(std::string_view text, std::size_t most);

}  // namespace lanes
