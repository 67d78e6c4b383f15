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
    m_linking = true;
    for (std::size_t side = 0; side < recordings.size(); ++side) {
        if (recordings[side] == before[side]) {
            continue;
        }
        if (recordings[side]->marks->all().empty()) {
            recordings[side]->marks->set(before[side]->marks->all());
        }
        m_views[side]->renewRecording(recordings[side]);
    }
    m_linking = false;
    m_search->setRecordings(recordings);
    placeViews();
}

void ComparisonView::settle()
{
    m_linking = true;
    for (TimelineView* shown : m_views) {
        shown->settle();
    }
    m_linking = false;
    m_overview->setWindow(m_views[0]->visibleRange());
    m_compareLater.start();
    emit timeScaleChanged(timeScale());
}

}  // namespace lanes::gui
