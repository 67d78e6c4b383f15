// SPDX-License-Identifier: MIT
// Comma-separated values (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// One field, in quotes if it needs them. Bytes that are not UTF-8 become U+FFFD.
std::string csv_field(std::string_view bytes);

}  // namespace lanes
