// SPDX-License-Identifier: MIT
#include "engine/analysis/communication.h"

#include <algorithm>

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

std::map<std::uint32_t, CommunicationTime> measure_communication(const Trace& trace, Interval range)
{
    std::vector<bool> communicates(trace.strings.size());
    bool any = false;
    for (StringId id = 0; id < trace.strings.size(); ++id) {
        communicates[id] = !communication_of(trace.text(id)).empty();
        any = any || communicates[id];
    }
    if (!any) {
        return {};
    }
    struct Kernels {
        IntervalSet communication, other;
    };
    std::map<std::uint32_t, Kernels> devices;
    const auto& operations = trace.operations;
    for (Row row = 0; row < operations.size(); ++row) {
        const Interval part {std::max(operations.start[row], range.start), std::min(operations.end[row], range.end)};
        if (operations.kind[row] == OperationKind::kernel && part.start < part.end) {
            auto& [communication, other] = devices[trace.streams[operations.stream[row]].device];
            (communicates[operations.name[row]] ? communication : other).push_back(part);
        }
    }
    std::map<std::uint32_t, CommunicationTime> times;
    for (auto& [device, kernels] : devices) {
        if (const auto all = unite(std::move(kernels.communication)); !all.empty()) {
            times[device] = {length(all), length(subtract(all, unite(std::move(kernels.other))))};
        }
    }
    return times;
}

}  // namespace lanes
