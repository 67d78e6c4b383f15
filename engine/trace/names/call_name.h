// SPDX-License-Identifier: MIT
// Names of calls without the version of the interface that they are of.
#pragma once

#include "engine/ascii.h"

#include <string_view>

namespace lanes {

/// "cudaMemcpyAsync_v3020" -> "cudaMemcpyAsync", and "cuMemAlloc_v2" -> "cuMemAlloc". Our own recorder takes away only
/// the runtime's version, which is CUPTI's; the driver's is part of its names, and they are shown with it.
inline std::string_view plain_call_name(std::string_view name)
{
    const auto last = name.find_last_not_of(ascii::digits);
    return last != std::string_view::npos && last + 1 < name.size() && last >= 1 && name[last] == 'v'
            && name[last - 1] == '_'
        ? name.substr(0, last - 1)
        : name;
}

}  // namespace lanes
