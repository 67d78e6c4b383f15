// SPDX-License-Identifier: MIT
// Suggestions for misspelt names, and how errors word them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// The edit distance (optimal string alignment): insertions, deletions, substitutions and swaps of neighbours. Cost:
/// the product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name in `known` nearest to `word`, ignoring case; of equally near ones the first; if none is near enough, the
/// first that begins with `word`; else "".
std::string nearest_name(std::string_view word, const std::vector<std::string>& known);

/// "unknown stream 'cmpute', expected compute or copy; did you mean 'compute'?" A list longer than a line is left out.
std::string unknown_name(std::string_view what, std::string_view word, const std::vector<std::string>& known);

/// "a", "a or b", "a, b or c"; "" for none.
std::string alternatives(const std::vector<std::string>& names);

}  // namespace lanes
