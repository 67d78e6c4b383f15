// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

namespace lanes {

/// The parts of `text` before, between and after separators, as views of it; "" has one part, "".
inline std::vector<std::string_view> split_at(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

}  // namespace lanes
