// SPDX-License-Identifier: MIT
#include "engine/store/recording_ending.h"

#include <algorithm>
#include <array>

namespace lanes {

bool ends_with(std::string_view path, std::string_view ending)
{
    return path.size() > ending.size() && path.ends_with(ending);
}

std::string wrong_ending(const std::string& path)
{
    static constexpr std::array<std::string_view, 4> endings {".sqlite", ".json", ".json.gz", ".csv"};
    return std::any_of(endings.begin(), endings.end(), [&](auto ending) { return ends_with(path, ending); })
        ? ""
        : path + ": the ending says what to write: .sqlite, .json, .json.gz or .csv";
}

}  // namespace lanes
