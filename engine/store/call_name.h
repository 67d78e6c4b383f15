// SPDX-License-Identifier: MIT
// Names of API calls as other tools write them; private to engine/store.
#pragma once

#include <string_view>

namespace lanes {

/// "cudaMemcpyAsync_v3020" -> "cudaMemcpyAsync": the version is CUPTI's.
inline std::string_view without_version(std::string_view name)
{
    const auto last = name.find_last_not_of("0123456789");
    return last != std::string_view::npos && last + 1 < name.size() && last >= 1 && name[last] == 'v'
            && name[last - 1] == '_'
        ? name.substr(0, last - 1)
        : name;
}

}  // namespace lanes
