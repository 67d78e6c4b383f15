// SPDX-License-Identifier: MIT
#include "engine/replay/traffic.h"

namespace lanes::replay {

bool streams_memory(std::string_view full)
{
    constexpr std::string_view work = "<(lanes::KernelWork)2>";
    return full.find(work) != std::string_view::npos;
}

}  // namespace lanes::replay
