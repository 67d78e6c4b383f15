// SPDX-License-Identifier: MIT
// Code points and texts of C interfaces as UTF-8 (RFC 3629).
#pragma once

#include <string>

namespace lanes {

/// Appends a code point; nothing for a number that is not one.
inline void append_utf8(std::string& text, char32_t point)
{
    if (point < 0x80) {
        text += static_cast<char>(point);
        return;
    }
    const unsigned more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;  // bytes after the first
    if (point >= 0x110000) {
        return;
    }
    text += static_cast<char>((0xFF00U >> (more + 1) & 0xFFU) | point >> 6U * more);
    for (unsigned left = more; left-- > 0;) {
        text += static_cast<char>(0x80U | (point >> 6U * left & 0x3FU));
    }
}

/// A text that ends with 0 and is in UTF-8 already; "" for null.
inline std::string utf8_of(const char* text)
{
    return text == nullptr ? "" : text;
}
/// The same of one in UTF-32, as wchar_t is on Linux.
inline std::string utf8_of(const wchar_t* text)
{
    std::string narrowed;
    for (; text != nullptr && *text != 0; ++text) {
        append_utf8(narrowed, static_cast<char32_t>(*text));  // NOLINT: a wchar_t, no character of 8 bits
    }
    return narrowed;
}

}  // namespace lanes
