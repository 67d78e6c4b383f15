// SPDX-License-Identifier: MIT
#include "engine/trace/cut.h"

#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <sstream>

namespace lanes {

std::string text_of(const Cut& cut)
{
    std::ostringstream text;
    text << cut.begin << ' ' << cut.length << ' ' << cut.work_end << ' ' << cut.calls << ' ' << cut.operations << ' '
         << cut.ranges;
    return text.str();
}

std::optional<Cut> cut_of(const Trace& trace)
{
    const auto found = trace.meta.find(meta::cut);
    if (found == trace.meta.end()) {
        return std::nullopt;
    }
    std::istringstream text(found->second);
    Cut cut;
    text >> cut.begin >> cut.length >> cut.work_end >> cut.calls >> cut.operations >> cut.ranges;
    const bool is_sound = text && is_sane(cut.begin) && is_sane(cut.length) && cut.begin >= 0 && cut.length > 0
        && cut.work_end >= 0 && cut.work_end <= cut.length;
    return is_sound ? std::optional(cut) : std::nullopt;
}

void extend_to_cut(Trace& trace)
{
    if (const auto cut = cut_of(trace)) {
        trace.duration = std::max(trace.duration, cut->length);
    }
}

}  // namespace lanes
