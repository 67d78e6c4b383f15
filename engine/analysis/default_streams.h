// SPDX-License-Identifier: MIT
// Which streams are legacy default streams, whose work and that of a context's blocking streams wait for one another.
#pragma once

#include "engine/trace/trace.h"

#include <map>
#include <utility>
#include <vector>

namespace lanes {

/// By stream. A stream says so itself, or its context names it. Cost: log(contexts) for each stream.
inline std::vector<bool> legacy_streams(const Trace& trace)
{
    std::multimap<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> named;  // by process and context
    for (const auto& context : trace.contexts) {
        named.emplace(std::pair(context.process, context.id), context.null_stream);
    }
    std::vector<bool> legacy(trace.streams.size());
    for (Row row = 0; row < trace.streams.size(); ++row) {
        const auto& stream = trace.streams[row];
        legacy[row] = stream.flag == StreamRecord::null;
        const auto [first, last] = named.equal_range({stream.process, stream.context});
        for (auto at = first; at != last; ++at) {
            legacy[row] = legacy[row] || at->second == stream.id;
        }
    }
    return legacy;
}

}  // namespace lanes
