// SPDX-License-Identifier: MIT
// Chinese text has a space between a Chinese character and a Latin letter, a digit or a percent sign, and none between
// a number and its percent sign. Where an argument is inserted into a sentence, the letters on both sides decide.
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// Whether a space goes between the two.
bool wants_space(char32_t before, char32_t after);

/// Appends UTF-8 `more`, after a space if the two letters need one.
void append_spaced(std::string& text, std::string_view more);

/// "88 %" as Chinese has it: "88%".
std::string tight_percents(std::string text);

}  // namespace lanes
