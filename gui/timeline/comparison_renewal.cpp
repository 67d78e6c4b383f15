// SPDX-License-Identifier: MIT
// Other recordings of the same in the place of those that are shown: what the user looks at stays.
#include "gui/timeline/comparison_view.h"

namespace lanes::gui {

void ComparisonView::renewRecordings(const std::vector<RecordingPtr>& recordings)
{
    const std::vector<RecordingPtr> before = this->recordings();
    if (recordings.size() != before.size()) {
        setRecordings(recordings);
        return;
    }
    m_overview->setModels({}, {});
    m_overview->setHits({});
    for (std::size_t side = 0; side < recordings.size(); ++side) {
        if (recordings[side] == before[side]) {
            continue;
        }
        if (recordings[side]->marks->all().empty()) {
            recordings[side]->marks->set(before[side]->marks->all());
        }
        m_views[side]->setHits({});
        m_sides[side]->openRenewed(recordings[side]);
    }
    m_hits->search()->setRecordings(recordings);
    placeViews();
}

void ComparisonView::settle()
{
    for (const auto& shown : m_sides) {
        shown->settle();
    }
    link(0);
}

}  // namespace lanes::gui
