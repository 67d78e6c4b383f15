// SPDX-License-Identifier: MIT
// Texts as JSON has them (RFC 8259).
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// Appends `text` with its quotes. Each byte that is not UTF-8 becomes U+FFFD, so that the result always parses.
void append_json_string(std::string& json, std::string_view text);

/// The same as a new string.
std::string json_string(std::string_view text);

}  // namespace lanes
