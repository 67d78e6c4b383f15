// SPDX-License-Identifier: MIT
// Which processes ended without their last flush.
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_assembly.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace lanes {

/// Fills meta::unflushed from the probes' notes. A process has a key for each time that it was recorded (exec keeps the
/// id).
void TraceAssembly::describe_unflushed()
{
    const std::string_view prefix = unflushed_key;
    auto& meta = m_trace.meta;
    std::map<std::uint32_t, Ns> last;
    for (auto said = meta.lower_bound(std::string(prefix)); said != meta.end() && said->first.starts_with(prefix);) {
        std::uint32_t process = 0;
        const auto& key = said->first;
        const bool is_one
            = std::from_chars(key.data() + prefix.size(), key.data() + key.size(), process).ec == std::errc();
        if (is_one && !said->second.empty()) {
            last.try_emplace(process, -1);
        }
        said = meta.erase(said);
    }
    if (last.empty()) {
        return;
    }
    const auto see = [&](std::uint32_t process, Ns end) {
        if (const auto found = last.find(process); found != last.end()) {
            found->second = std::max(found->second, end);
        }
    };
    for (Row row = 0; row < m_trace.calls.size(); ++row) {
        see(m_trace.threads[m_trace.calls.thread[row]].process, m_trace.calls.end[row]);
    }
    for (Row row = 0; row < m_trace.operations.size(); ++row) {
        see(m_trace.streams[m_trace.operations.stream[row]].process, m_trace.operations.end[row]);
    }
    std::string lines;
    for (const auto& [process, end] : last) {
        lines += std::to_string(process) + " " + (end < 0 ? "-" : std::to_string(end)) + "\n";
    }
    meta[meta::unflushed] = lines;
}

}  // namespace lanes
