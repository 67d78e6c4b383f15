// SPDX-License-Identifier: MIT
#include "gui/app/controllers/path_binding.h"

#include "gui/session/critical_paths.h"
#include "gui/timeline/comparison_view.h"

namespace lanes::gui {

void bindPaths(CriticalPaths* paths, ComparisonView* timeline)
{
    const auto show = [paths, timeline] {
        for (const int side : {0, 1}) {
            Timeline& one = timeline->side(side);
            one.setPath(one.state().pathWanted ? paths->at(side) : nullptr);
        }
    };
    QObject::connect(paths, &CriticalPaths::changed, timeline, show);
    QObject::connect(timeline, &ComparisonView::pathWanted, paths, [paths, timeline, show](bool wanted) {
        paths->setWanted(timeline, wanted);
        show();
    });
}

}  // namespace lanes::gui
