// SPDX-License-Identifier: MIT
#include "gui/timeline/tools/annotate.h"
#include "gui/timeline/tools/box.h"
#include "gui/timeline/tools/follow.h"
#include "gui/timeline/tools/lane_hand.h"
#include "gui/timeline/tools/marks.h"
#include "gui/timeline/tools/pan.h"
#include "gui/timeline/tools/predict.h"
#include "gui/timeline/tools/range.h"
#include "gui/timeline/tools/scroll.h"

namespace lanes::gui {

std::vector<std::unique_ptr<Tool>> timelineTools(Timeline& timeline, TimelineOverlay& overlay, LabelPainter& labels)
{
    std::vector<std::unique_ptr<Tool>> tools;
    tools.push_back(std::make_unique<ScrollTool>(timeline, overlay));
    tools.push_back(std::make_unique<LaneHandTool>(timeline, overlay));
    tools.push_back(std::make_unique<AnnotateTool>(timeline, overlay, labels));
    tools.push_back(std::make_unique<MarksTool>(timeline, overlay, labels));
    tools.push_back(std::make_unique<FollowTool>(timeline, overlay, labels));
    tools.push_back(std::make_unique<BoxTool>(timeline, overlay));
    tools.push_back(std::make_unique<PanTool>(timeline, overlay));
    tools.push_back(std::make_unique<PredictTool>(timeline, overlay));
    tools.push_back(std::make_unique<RangeTool>(timeline, overlay));
    return tools;
}

}  // namespace lanes::gui
