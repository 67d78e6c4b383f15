// SPDX-License-Identifier: MIT
// A library that can say one thing: a version of CUPTI (LANES_VERSION). For what only looks for CUPTI.
#include <cstdint>

extern "C" int cuptiGetVersion(std::uint32_t* version)
{
    *version = LANES_VERSION;
    return 0;
}
