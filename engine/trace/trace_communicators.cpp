// SPDX-License-Identifier: MIT
// Which communicators the processes made.
#include "engine/trace/collective_call.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/range_value.h"
#include "engine/trace/trace_assembly.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace lanes {

/// Fills meta::communicators from the probes' notes and from what the ranges say that made them.
void TraceAssembly::describe_communicators()
{
    const std::string_view prefix = communicator_key;
    auto& meta = m_trace.meta;
    auto all = parse_communicators(meta[meta::communicators]);
    const auto add = [&all](Communicator one) {
        if (std::find(all.begin(), all.end(), one) == all.end()) {
            all.push_back(std::move(one));
        }
    };
    for (auto said = meta.lower_bound(std::string(prefix)); said != meta.end() && said->first.starts_with(prefix);) {
        const auto& key = said->first;
        const auto* const end = key.data() + key.size();
        Communicator one;
        std::uint64_t id = 0;
        const auto [dot, error] = std::from_chars(key.data() + prefix.size(), end, one.process);
        std::istringstream words(said->second);
        if (error == std::errc() && dot != end && std::from_chars(dot + 1, end, id).ec == std::errc()
            && words >> one.ranks >> one.rank >> one.device) {
            one.id = text_of_id(id);
            add(std::move(one));
        }
        said = meta.erase(said);
    }
    for (auto& one : communicators_in_ranges(m_trace)) {
        add(std::move(one));
    }
    if (all.empty()) {
        meta.erase(meta::communicators);
    } else {
        meta[meta::communicators] = text_of(all);
    }
}

}  // namespace lanes
