// SPDX-License-Identifier: MIT
// One choice of lanes for both recordings: how they are grouped, by what they are filtered, how they are arranged.
#include "gui/timeline/comparison_view.h"

#include "gui/lanes/making/lane_pairs.h"

namespace lanes::gui {

void ComparisonView::connectLanes()
{
    for (const int index : {0, 1}) {
        Timeline* one = &side(index);
        connect(one, &Timeline::lanesChanged, this, &ComparisonView::lanesChanged);
        connect(&one->lanes(), &ShownLanes::indexingFailed, this, &ComparisonView::indexingFailed);
        connect(&one->lanes(), &ShownLanes::indexed, this, [this](double fraction) {
            if (fraction >= 1) {
                countShown();
            }
        });
        connect(one, &Timeline::arranged, this, [this, index] { arrangeOther(index); });
        connect(one, &Timeline::choiceChanged, this, [this, one] { setLaneChoice(one->state().choice); });
        connect(view(index), &TimelineView::laneMenuRequested, this, [this, index](QPoint at) {
            view(index)->setFocus(Qt::PopupFocusReason);
            emit laneMenuRequested(at);
        });
    }
    connect(m_filterBar, &FilterBar::filterWanted, this, [this](std::shared_ptr<const Query> filter) {
        setLaneChoice({side(0).state().choice.grouping, std::move(filter)});
    });
    connect(m_filterBar, &FilterBar::left, this, [this] { m_active->setFocus(); });
}

void ComparisonView::setLaneChoice(const LaneChoice& choice)
{
    m_overview->setModels({}, {});  // it refers to the lanes before
    for (const auto& one : m_sides) {
        one->choose(choice);
    }
    placeViews();
    divide();
    countShown();
    emit lanesChanged();
}

/// What the user does to a lane is done to its counterpart.
void ComparisonView::arrangeOther(int from)
{
    const Timeline& one = side(from);
    Timeline& other = side(1 - from);
    if (one.model() != nullptr && other.model() != nullptr) {
        other.setArrangement(
            other.state().arrangement.following(one.state().arrangement, lanePairs(*one.model(), *other.model())));
    }
}

void ComparisonView::countShown()
{
    std::size_t events = 0;
    for (const auto& one : m_sides) {
        for (std::size_t lane = 0; one->model() != nullptr && lane < one->model()->lanes().size(); ++lane) {
            for (const LaneRow& row : one->model()->lanes()[lane].rows) {
                events += !isEventOrPart(row.kind) || row.kind == ItemKind::blocked ? 0 : row.items.size();
            }
        }
    }
    m_filterBar->setShown(events);
}

}  // namespace lanes::gui
