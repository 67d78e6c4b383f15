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
        return [found = evidence(side, name)]() -> EventList::Wanted {
            return [found](EventRef event) { return std::find(found.begin(), found.end(), event) != found.end(); };
        };
    }
    return [of = *this, side, name, least, most]() -> EventList::Wanted {
        return [part = of.part(side, name), least, most](EventRef event) {
            const auto lasted = part(event);
            return lasted && *lasted >= least && *lasted < most;
        };
    };
}

std::vector<EventRef> SummaryOf::evidence(std::size_t side, const std::string& name) const
{
    std::vector<EventRef> all;
    for (const Finding& finding : reports[side] != nullptr ? reports[side]->findings : std::vector<Finding> {}) {
        if (finding.rule == name) {
            all.insert(all.end(), finding.evidence.begin(), finding.evidence.end());
        }
    }
    return all;
}

}  // namespace lanes::gui
