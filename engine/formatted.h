// SPDX-License-Identifier: MIT
// Text from a format string and its arguments, like std::format, which GCC 12 lacks. fmt does the work and is
// compiled in one place: Debian has it as a shared library, which a relocatable `lanes` cannot count on, or
// header-only, which costs each file that formats something 5 s of compiler time.
#pragma once

#include <fmt/core.h>

#include <string>

namespace lanes {

std::string format_arguments(fmt::string_view text, fmt::format_args arguments);

/// `text` is checked against the arguments when it is compiled.
template <class... Arguments> std::string formatted(fmt::format_string<Arguments...> text, Arguments&&... arguments)
{
    return format_arguments(text, fmt::make_format_args(arguments...));
}

}  // namespace lanes
