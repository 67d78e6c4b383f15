// SPDX-License-Identifier: MIT
#include "gui/panels/summary/summary_scope.h"

#include "engine/analysis/query/query_matcher.h"

#include <algorithm>

namespace lanes::gui {

SummaryScope SummaryOf::asked(std::size_t side) const
{
    SummaryScope asked;
    if (isRanged()) {
        asked.range = scope.ranges[side];
    }
    if (filter) {
        const OpenRecordingPtr& recording = recordings[side];
        const auto matcher
            = std::make_shared<const QueryMatcher>(*filter, *recording->trace, recording->blocking.get());
        asked.counts = [matcher, recording](EventRef event) { return matcher->matches(event); };
    }
    return asked;
}

SummaryPart SummaryOf::part(std::size_t side, const std::string& name) const
{
    return part_in_row(*recordings[side], by, name, asked(side));
}

std::function<EventList::Wanted()> SummaryOf::wanted(std::size_t side, const std::string& name, Ns least, Ns most) const
{
    if (findings) {
        return [report = reports[side], found = finding(side, name)]() -> EventList::Wanted {
            return [report, found](EventRef event) {
                return found != nullptr
                    && std::find(found->evidence.begin(), found->evidence.end(), event) != found->evidence.end();
            };
        };
    }
    return [of = *this, side, name, least, most]() -> EventList::Wanted {
        return [part = of.part(side, name), least, most](EventRef event) {
            const auto lasted = part(event);
            return lasted && *lasted >= least && *lasted < most;
        };
    };
}

const Finding* SummaryOf::finding(std::size_t side, const std::string& name) const
{
    if (reports[side] == nullptr) {
        return nullptr;
    }
    const std::vector<Finding>& all = reports[side]->findings;
    const auto found
        = std::find_if(all.begin(), all.end(), [&](const Finding& finding) { return finding.rule == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace lanes::gui
