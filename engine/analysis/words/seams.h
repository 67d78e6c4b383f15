// SPDX-License-Identifier: MIT
// Chinese text has a space between a Chinese character and a Latin letter, a digit or a percent sign. Where an argument
// is put into a sentence only the seam tells whether there is one.
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// Whether a space goes between the two.
bool wants_space(char32_t before, char32_t after);

/// Appends UTF-8 `more`, behind a space where the seam wants one.
void append_spaced(std::string& text, std::string_view more);

}  // namespace lanes
