// SPDX-License-Identifier: MIT
#include "gui/app/explore/path_binding.h"

#include "gui/session/critical_paths.h"
#include "gui/timeline/comparison_view.h"

namespace lanes::gui {

void bindLayers(CriticalPaths* paths, IdleTimes* idle, ComparisonView* timeline)
{
    const auto show = [paths, idle, timeline] {
        for (const int side : {0, 1}) {
            TimelineLayers& layers = timeline->side(side).layers();
            layers.setPath(layers.isOn(TimelineLayers::Layer::path) ? paths->at(side) : nullptr);
            layers.setIdle(layers.isOn(TimelineLayers::Layer::idle) ? idle->at(side) : nullptr);
        }
    };
    QObject::connect(paths, &CriticalPaths::changed, timeline, show);
    QObject::connect(idle, &IdleTimes::changed, timeline, show);
    QObject::connect(&timeline->pair(), &TimelinePair::layerSwitched, paths,
        [paths, idle, timeline, show](TimelineLayers::Layer layer, bool on) {
            if (layer == TimelineLayers::Layer::path) {
                paths->setWanted(timeline, on);
            } else if (layer == TimelineLayers::Layer::idle) {
                idle->setWanted(timeline, on);
            }
            show();
        });
}

}  // namespace lanes::gui
