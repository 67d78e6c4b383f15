// SPDX-License-Identifier: MIT
// Letters and digits of ASCII, the same in every locale. A byte of any other letter is neither.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace lanes::ascii {

inline constexpr std::string_view digits = "0123456789";

constexpr bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

constexpr bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

constexpr bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

constexpr bool is_letter(char c)
{
    return is_lower(c) || is_upper(c);
}

constexpr bool is_letter_or_digit(char c)
{
    return is_letter(c) || is_digit(c);
}

/// Whether an identifier of C or Python may begin with it.
constexpr bool begins_identifier(char c)
{
    return is_letter(c) || c == '_';
}

/// Whether it may be in such an identifier.
constexpr bool continues_identifier(char c)
{
    return is_letter_or_digit(c) || c == '_';
}

constexpr char to_lower(char c)
{
    return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr char to_upper(char c)
{
    return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Whether `text` has digits and nothing else; "" has none.
constexpr bool is_all_digits(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

constexpr bool is_identifier(std::string_view text)
{
    return !text.empty() && begins_identifier(text.front())
        && std::all_of(text.begin(), text.end(), continues_identifier);
}

/// `text` with its letters in lower case.
inline std::string in_lower_case(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), to_lower);
    return lower;
}

/// `text` with its letters in upper case.
inline std::string in_upper_case(std::string_view text)
{
    std::string upper(text);
    std::transform(upper.begin(), upper.end(), upper.begin(), to_upper);
    return upper;
}

}  // namespace lanes::ascii
