// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/communication.h"

namespace lanes {

std::string_view communication_of(std::string_view kernel)
{
    constexpr std::string_view mark = "nccl";
    if (!kernel.starts_with(mark)) {
        return {};
    }
    constexpr std::string_view apart = "_ :";
    // NCCL's own names go on with DevKernel or Kernel up to the first '_'.
    const auto first = kernel.find_first_of(apart);
    if (first == std::string_view::npos || first + 1 == kernel.size()) {
        return kernel;
    }
    const auto rest = kernel.substr(first + 1);
    if (kernel[first] != '_') {
        return rest;
    }
    return rest.substr(0, rest.find_first_of("_("));
}

std::vector<bool> communication_names(const Trace& trace)
{
    std::vector<bool> names(trace.strings.size());
    bool any = false;
    for (StringId id = 0; id < trace.strings.size(); ++id) {
        names[id] = !communication_of(trace.text(id)).empty();
        any = any || names[id];
    }
    return any ? names : std::vector<bool>();
}

}  // namespace lanes
