// SPDX-License-Identifier: MIT
#include "engine/replay/host_work.h"

#include <algorithm>
#include <map>

namespace lanes::replay {

void find_varying_work(const Trace& trace, Script& script)
{
    constexpr std::size_t few = 4;
    constexpr double differs = 0.03;  // between the longest and the shortest, without the outer tenths
    std::map<StringId, std::vector<std::uint32_t>> by_name;
    for (std::uint32_t index = 0; index < script.items.size(); ++index) {
        if (script.items[index].kind == Item::work) {
            by_name[trace.host_spans[script.items[index].row].name].push_back(index);
        }
    }
    for (auto& [name, items] : by_name) {
        const auto time = [&](std::uint32_t index) { return script.items[index].own; };
        std::sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) { return time(a) < time(b); });
        const auto tenth = items.size() / 10;
        const Ns least = time(items[tenth]);
        const Ns most = time(items[items.size() - 1 - tenth]);
        const bool varies
            = items.size() >= few && static_cast<double>(most - least) > differs * static_cast<double>(most);
        for (const auto index : items) {
            script.items[index].varies = varies;
        }
    }
}

}  // namespace lanes::replay
