// SPDX-License-Identifier: MIT
#include "engine/trace/names/graph_names.h"

#include <algorithm>

namespace lanes {

GraphNames::GraphNames(const std::vector<std::string>& lines)
{
    for (std::uint32_t step = 0; step < lines.size(); ++step) {
        const std::string_view line = lines[step];
        if (line.find(separator) == std::string_view::npos) {
            continue;
        }
        auto& names = m_steps[step].names;
        for (std::size_t at = 0; at <= line.size();) {
            const auto end = std::min(line.find(separator, at), line.size());
            names.emplace_back(line.substr(at, end - at));
            at = end + 1;
        }
    }
}

void GraphNames::finish()
{
    for (auto& [step, it] : m_steps) {
        std::sort(it.nodes.begin(), it.nodes.end());
        it.nodes.erase(std::unique(it.nodes.begin(), it.nodes.end()), it.nodes.end());
    }
}

std::string_view GraphNames::name(std::uint32_t step, std::uint32_t node) const
{
    const auto& it = m_steps.at(step);
    if (it.nodes.size() % it.names.size() != 0) {
        return {};
    }
    const auto place = std::lower_bound(it.nodes.begin(), it.nodes.end(), node) - it.nodes.begin();
    return it.names[static_cast<std::size_t>(place) % it.names.size()];
}

}  // namespace lanes
