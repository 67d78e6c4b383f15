// SPDX-License-Identifier: MIT
// One choice of lanes for both recordings: how they are grouped, by what they are filtered, how they are arranged.
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"

namespace lanes::gui {

void ComparisonView::connectLanes()
{
    for (const int index : {0, 1}) {
        Timeline* one = &side(index);
        connect(one, &Timeline::lanesChanged, this, &ComparisonView::lanesChanged);
        connect(&one->lanes(), &ShownLanes::indexed, this, [this](double fraction) {
            if (fraction >= 1) {
                countShown();
            }
        });
        connect(view(index), &TimelineView::laneMenuRequested, this, [this, index](QPoint at) {
            view(index)->setFocus(Qt::PopupFocusReason);
            emit laneMenuRequested(at);
        });
        connect(view(index), &TimelineView::placeMenuRequested, this, [this, index](QPoint at) {
            view(index)->setFocus(Qt::PopupFocusReason);
            emit placeMenuRequested(at);
        });
    }
    connect(m_pair.get(), &TimelinePair::chosen, this, [this] {
        divide();
        m_filterBar->follow(side(0).state().choice.filterText());
        countShown();
        emit lanesChanged();
    });
    connect(m_filterBar, &FilterBar::filterWanted, this,
        [this](std::shared_ptr<const Query> filter) { m_pair->filter(std::move(filter)); });
    connect(m_filterBar, &FilterBar::left, this, [this] { activeView()->setFocus(); });
}

void ComparisonView::countShown()
{
    std::size_t events = 0;
    for (const int index : {0, 1}) {
        const LaneModel* model = side(index).model();
        for (std::size_t lane = 0; model != nullptr && lane < model->lanes().size(); ++lane) {
            for (const LaneRow& row : model->lanes()[lane].rows) {
                const bool again = row.kind == ItemKind::blocked || row.level;  // these are in other rows, too
                events += !isEventOrPart(row.kind) || again ? 0 : row.items.size();
            }
        }
    }
    m_filterBar->setShown(events);
}

}  // namespace lanes::gui
