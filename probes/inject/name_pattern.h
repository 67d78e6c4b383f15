// SPDX-License-Identifier: MIT
// File names for each host, rank and process: %h host name, %r rank, %p process id, %q{NAME} the environment variable
// NAME, %% a percent sign.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace lanes {

/// An environment variable's value; nullptr: it is not set.
using Variables = std::function<const char*(const char* name)>;

/// The values of the placeholders.
struct NamePlace {
    std::string host, rank;  ///< rank "": no launcher, taken for rank 0
    std::uint32_t process = 0;
    Variables variables = {};  ///< for %q{NAME}; what is not set is ""
};

/// What is no placeholder stays as it is. `wrong`, if given, gets the byte at which the first such thing begins, else
/// npos. Slashes in values become underscores: a value names no folder.
std::string expand_name(std::string_view pattern, const NamePlace& place, std::size_t* wrong = nullptr);

/// A pattern that gives `name` itself.
std::string pattern_of_name(std::string_view name);

/// This machine's name, without its domain; "localhost" if it has none.
std::string host_name();

}  // namespace lanes
