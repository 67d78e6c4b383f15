// SPDX-License-Identifier: MIT
#include "gui/app/controllers/path_binding.h"

#include "gui/session/critical_paths.h"
#include "gui/timeline/comparison_view.h"

namespace lanes::gui {

void bindLayers(CriticalPaths* paths, IdleTimes* idle, ComparisonView* timeline)
{
    const auto show = [paths, idle, timeline] {
        for (const int side : {0, 1}) {
            Timeline& one = timeline->side(side);
            one.setPath(one.isWanted(Timeline::Layer::path) ? paths->at(side) : nullptr);
            one.setIdle(one.isWanted(Timeline::Layer::idle) ? idle->at(side) : nullptr);
        }
    };
    QObject::connect(paths, &CriticalPaths::changed, timeline, show);
    QObject::connect(idle, &IdleTimes::changed, timeline, show);
    QObject::connect(&timeline->pair(), &TimelinePair::layerWanted, paths,
        [paths, idle, timeline, show](Timeline::Layer layer, bool wanted) {
            (layer == Timeline::Layer::path ? static_cast<WantedResults*>(paths) : idle)->setWanted(timeline, wanted);
            show();
        });
}

}  // namespace lanes::gui
