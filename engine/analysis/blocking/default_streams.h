// SPDX-License-Identifier: MIT
// Which streams are legacy default streams. Work of such a stream and of its context's blocking streams wait for one
// another.
#pragma once

#include "engine/trace/trace.h"

#include <map>
#include <utility>
#include <vector>

namespace lanes {

/// By stream. The stream's record says so, or its context names it. Cost: log(contexts) for each stream.
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

/// Whether some context has a legacy default stream and blocking streams, all with work.
inline bool orders_with_legacy_stream(const Trace& trace)
{
    const auto legacy = legacy_streams(trace);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<bool, bool>> has;
    for (Row row = 0; row < trace.streams.size(); ++row) {
        const auto& stream = trace.streams[row];
        if (!trace.operations_of(row).empty()) {
            auto& [has_legacy, has_blocking] = has[{stream.process, stream.context}];
            has_legacy = has_legacy || legacy[row];
            has_blocking = has_blocking || (!legacy[row] && stream.flag == StreamRecord::blocking);
        }
    }
    for (const auto& [context, of] : has) {
        if (of.first && of.second) {
            return true;
        }
    }
    return false;
}

}  // namespace lanes
