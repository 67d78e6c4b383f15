// SPDX-License-Identifier: MIT
#include "engine/store/spool_parts.h"

#include "probes/record_sink.h"

#include <charconv>
#include <string_view>

namespace lanes {

void SpoolParts::take(const SpoolChunk& chunk)
{
    for (const auto& edge : records_of<WindowRecord>(chunk)) {
        m_edges.push_back(edge);
    }
    for (const auto& [key, value] : meta_of(chunk)) {
        const std::string_view prefix = handed_over_key;
        std::uint32_t process = 0;
        std::size_t count = 0;
        if (key.starts_with(prefix)
            && std::from_chars(key.data() + prefix.size(), key.data() + key.size(), process).ec == std::errc()
            && std::from_chars(value.data(), value.data() + value.size(), count).ec == std::errc()) {
            m_handed_over[process] = count;
        }
    }
}

std::vector<SpoolPartOfAll> SpoolParts::all() const
{
    std::vector<SpoolPartOfAll> parts;
    for (const auto& [process, intervals] : recorded_intervals(m_edges)) {
        const auto handed_over = m_handed_over.find(process);
        for (std::size_t i = 0; i < intervals.size(); ++i) {
            parts.push_back({intervals[i], handed_over != m_handed_over.end() && i < handed_over->second});
        }
    }
    std::sort(parts.begin(), parts.end(),
        [](const SpoolPartOfAll& a, const SpoolPartOfAll& b) { return a.time.start < b.time.start; });
    std::vector<SpoolPartOfAll> together;
    for (const auto& part : parts) {
        if (together.empty() || part.time.start > together.back().time.end) {
            together.push_back(part);
        } else {
            together.back().time.end = std::max(together.back().time.end, part.time.end);
            together.back().is_whole = together.back().is_whole && part.is_whole;
        }
    }
    return together;
}

}  // namespace lanes
