// SPDX-License-Identifier: MIT
// Whether what was printed arrived: a full disk or a closed pipe is a failure of the command, not silence.
#pragma once

#include <cstdio>

namespace lanes {

/// True if all that went to stdout so far was written. Call it at the end: C's streams keep an error until then.
inline bool standard_output_arrived()
{
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace lanes
