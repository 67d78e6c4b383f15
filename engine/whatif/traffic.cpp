// SPDX-License-Identifier: MIT
#include "engine/whatif/traffic.h"

namespace lanes::whatif {

bool streams_memory(std::string_view full)
{
    constexpr std::string_view work = "<(lanes::KernelWork)2>";
    return full.find(work) != std::string_view::npos;
}

}  // namespace lanes::whatif
