// SPDX-License-Identifier: MIT
// Words for a POSIX shell.
#pragma once

#include "engine/ascii.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// In quotes, whatever letters it has: 'it'\''s'.
inline std::string in_shell_quotes(std::string_view word)
{
    std::string quoted = "'";
    for (const char c : word) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + '\'';
}

/// As one would type it: in quotes only where a shell needs them.
inline std::string shell_quoted(std::string_view word)
{
    const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return ascii::is_letter_or_digit(c) || std::string_view("-_:.,/=+@%").find(c) != std::string_view::npos;
    });
    return is_plain ? std::string(word) : in_shell_quotes(word);
}

/// A command line of these words.
inline std::string shell_line(const std::vector<std::string>& words)
{
    std::string line;
    for (const auto& word : words) {
        line += (line.empty() ? "" : " ") + shell_quoted(word);
    }
    return line;
}

}  // namespace lanes
