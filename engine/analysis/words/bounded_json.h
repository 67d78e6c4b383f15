// SPDX-License-Identifier: MIT
// The short form of a JSON answer: what a script or an agent can read at once. `--json` prints it, `--json=full` prints
// the whole.
//
// No array has more than 20 elements, and the text has at most 16 kB. Where an array is cut, its object says so:
// "cut": {"waits": {"shown": 20, "of": 786, "all": "--json=full"}}. The elements that are kept are those with the most
// time, in the order in which they were; the first ones where the writer has ranked them already.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanes {

struct JsonBounds {
    std::size_t rows = 20;  ///< of an array
    std::size_t bytes = 15'999;  ///< of the text, without the end of its line
    std::size_t name = 160;  ///< bytes of a "name", which C++ makes very long; the end is replaced by "…"
};

/// `json` is one value as JsonWriter writes it. Arrays of objects and of texts are cut further until the text fits,
/// those first that take most; one element of each is always left, and then the longest texts are cut. Cost: linear in
/// the text for each step, few of them.
std::string bounded_json(std::string_view json, const JsonBounds& bounds = {});

}  // namespace lanes
