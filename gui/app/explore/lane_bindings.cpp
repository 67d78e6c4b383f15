// SPDX-License-Identifier: MIT
#include "gui/app/explore/lane_bindings.h"

#include "gui/session/critical_paths.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/hit_walk.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

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

void bindWalk(Workspace* workspace, HitWalk* hits)
{
    QObject::connect(workspace, &Workspace::marksWanted, hits, [workspace, hits](const AskedHits& asked) {
        hits->ask(asked);
        if (asked.sight) {
            Timeline& side = workspace->pair()->side(asked.sight->first);
            const Interval wanted = asked.sight->second;
            const Interval seen = side.visibleRange();
            if (wanted.start < seen.start || wanted.end > seen.end) {
                const Ns margin = (wanted.end - wanted.start) / 20;
                side.showRange({wanted.start - margin, wanted.end + margin});
            }
        }
    });
    QObject::connect(workspace, &Workspace::stepWanted, hits, &HitWalk::step);
    QObject::connect(hits, &HitWalk::changed, workspace, [workspace, hits] {
        workspace->setWalk({hits->search()->asked(), hits->search()->count(), hits->current()});
    });
}

}  // namespace lanes::gui
