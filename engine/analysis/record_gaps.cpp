// SPDX-License-Identifier: MIT
#include "engine/analysis/record_gaps.h"

#include "engine/ascii.h"

#include <algorithm>
#include <string>

namespace lanes {

namespace {

constexpr std::string_view between = ", ";

/// The sentence of "NVTX ranges" is not_recorded.nvtx_ranges.
Message gap_of(std::string_view name)
{
    std::string id = "not_recorded.";
    std::transform(name.begin(), name.end(), std::back_inserter(id),
        [](char letter) { return letter == ' ' ? '_' : ascii::to_lower(letter); });
    return Messages::english().sentences().contains(id) ? Message {id, {}}
                                                        : Message {"not_recorded.other", {{"name", std::string(name)}}};
}

}  // namespace

Message gaps_message(std::string_view not_recorded)
{
    Message list;
    while (!not_recorded.empty()) {
        const auto name = not_recorded.substr(0, not_recorded.find(between));
        not_recorded.remove_prefix(std::min(not_recorded.size(), name.size() + between.size()));
        auto gap = gap_of(name);
        list = list.empty() ? std::move(gap)
                            : Message {"not_recorded.list", {}, {{"first", std::move(list)}, {"next", std::move(gap)}}};
    }
    return list.empty() ? Message {} : Message {"caveat.not_recorded", {}, {{"list", std::move(list)}}};
}

}  // namespace lanes
