// SPDX-License-Identifier: MIT
// What the value of an option may be. A wrong one is exit status 2, with what was found and what was expected.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace lanes {

/// One of `words`, as they are written.
CLI::Validator one_of(std::vector<std::string> words);

/// A whole number, bounds included.
CLI::Validator whole_number(int least, int most);

/// Flags take no value: `--json=no` is wrong.
void refuse_values_of_flags(CLI::App& app);

}  // namespace lanes
