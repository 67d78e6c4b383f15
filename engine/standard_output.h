// SPDX-License-Identifier: MIT
// Checks that printed text was written: on a full disk or a closed pipe the command fails, and is not silent.
#pragma once

#include <cstdio>

namespace lanes {

/// True if all that went to stdout so far was written. Call it at the end: C's streams keep an error until then.
inline bool standard_output_arrived()
{
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace lanes
