// SPDX-License-Identifier: MIT
// A library that has nothing but a version of CUPTI (LANES_VERSION), for tests of the search for CUPTI.
#include <cstdint>

extern "C" int cuptiGetVersion(std::uint32_t* version)
{
    *version = LANES_VERSION;
    return 0;
}
