// SPDX-License-Identifier: MIT
// One choice of lanes for both recordings: how they are grouped, by what they are filtered.
#include "gui/timeline/comparison_view.h"

namespace lanes::gui {

void ComparisonView::connectLanes()
{
    for (TimelineView* one : m_views) {
        connect(one, &TimelineView::lanesChanged, this, &ComparisonView::lanesChanged);
        connect(one, &TimelineView::laneMenuRequested, this, [this, one](QPoint at) {
            one->setFocus(Qt::PopupFocusReason);
            emit laneMenuRequested(at);
        });
        connect(one, &TimelineView::indexed, this, [this](double fraction) {
            if (fraction >= 1) {
                countShown();
            }
        });
        connect(one, &TimelineView::choiceChanged, this, [this, one] { setLaneChoice(one->choice()); });
    }
    connect(m_filterBar, &FilterBar::filterWanted, this, [this](std::shared_ptr<const Query> filter) {
        setLaneChoice({m_views[0]->choice().grouping, std::move(filter)});
    });
    connect(m_filterBar, &FilterBar::left, this, [this] { m_active->setFocus(); });
}

void ComparisonView::setLaneChoice(const LaneChoice& choice)
{
    std::vector<std::shared_ptr<const LaneModel>> old;  // others refer to them until they have the new ones
    for (TimelineView* one : m_views) {
        old.push_back(one->state().model);
    }
    for (TimelineView* one : m_views) {
        one->setChoice(choice);
    }
    placeViews();
    divide();
    countShown();
    emit lanesChanged();
}

void ComparisonView::countShown()
{
    std::size_t events = 0;
    for (const TimelineView* one : m_views) {
        for (std::size_t lane = 0; one->model() != nullptr && lane < one->model()->lanes().size(); ++lane) {
            for (const LaneRow& row : one->model()->lanes()[lane].rows) {
                events += row.kind == ItemKind::overlap || row.kind == ItemKind::blocked ? 0 : row.items.size();
            }
        }
    }
    m_filterBar->setShown(events);
}

void ComparisonView::openFilter()
{
    m_filterBar->open();
}

void ComparisonView::clearFilter()
{
    m_filterBar->clear();
}

}  // namespace lanes::gui
