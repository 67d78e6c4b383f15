// SPDX-License-Identifier: MIT
#include "engine/analysis/words/names.h"

namespace lanes {

Message thread_message(const Trace& trace, Row thread)
{
    if (thread >= trace.threads.size()) {
        return {"thread.unknown", {}};
    }
    const auto& of = trace.threads[thread];
    const auto id = std::to_string(of.id);
    if (of.name != 0 && is_made_up(of.id)) {
        return {"thread.name_alone", {{"name", std::string(trace.text(of.name))}}};
    }
    return of.name == 0 ? Message {"thread.unnamed", {{"id", id}}}
                        : Message {"thread.named", {{"name", std::string(trace.text(of.name))}, {"id", id}}};
}

std::string device_name(const Trace& trace, std::uint32_t device)
{
    for (const auto& known : trace.devices) {
        if (known.id == device && known.name != 0) {
            return std::string(trace.text(known.name));
        }
    }
    return "GPU " + std::to_string(device);
}

}  // namespace lanes
