// SPDX-License-Identifier: MIT
// One field of comma-separated values, as RFC 4180 has them.
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// Quoted where it must be. What is no UTF-8 becomes U+FFFD.
std::string csv_field(std::string_view bytes);

}  // namespace lanes
