// SPDX-License-Identifier: MIT
#include "engine/trace/names/device_rows.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace lanes {

std::optional<XlaDevice> xla_device_of(std::string_view process)
{
    for (const std::string_view kind : {"GPU", "TPU"}) {
        const auto words = "/device:" + std::string(kind) + ":";
        std::uint32_t number = 0;
        if (process.starts_with(words)
            && std::from_chars(process.data() + words.size(), process.data() + process.size(), number).ec
                == std::errc {}) {
            return XlaDevice {kind, number};
        }
    }
    return {};
}

std::uint32_t device_of_row(const Trace& trace, const Thread& thread)
{
    const auto found = std::ranges::lower_bound(trace.processes, thread.process, {}, &Process::id);
    if (found == trace.processes.end() || found->id != thread.process) {
        return no_id;
    }
    const auto device = xla_device_of(trace.text(found->name));
    return device ? device->number : no_id;
}

}  // namespace lanes
