// SPDX-License-Identifier: MIT
// Which known name was meant, and how an error says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// How many letters must be put in, taken out, replaced or swapped with their neighbour to make `b` from `a`.
/// Cost: the product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name in `known` that is nearest to `word`, the first of equals and upper case as lower; "" if none is near
/// enough to be meant.
std::string nearest_name(std::string_view word, const std::vector<std::string>& known);

/// "unknown stream 'cmpute', expected compute or copy; did you mean 'compute'?" The list of what was expected
/// is left out where it is longer than a line.
std::string unknown_name(std::string_view what, std::string_view word, const std::vector<std::string>& known);

/// "a", "a or b", "a, b or c"; "" for none.
std::string alternatives(const std::vector<std::string>& names);

}  // namespace lanes
