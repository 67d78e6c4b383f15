// SPDX-License-Identifier: MIT
// The chain of causes of a selection on the drawn lanes: an arrow for each step, fainter the further away it is, with
// its number where there is room beside bars. What the steps are is said on the card of the selection.
#pragma once

#include "gui/lanes/cause_chain.h"
#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <QRectF>
#include <vector>

namespace lanes::gui {

/// What a step says: "same stream", "CPU 3.2 ms".
QString chainWords(const ChainStep& step);

/// Those steps alone that have an end in sight. What `links` draws already gets its number, no arrow. A number lies on
/// neither bars nor `texts` (boxes in the frame) nor what is `taken`, as the tags of ends that are out of sight: where
/// there is no such place there is no number. Steps that repeat are numbered once.
void paintChain(const TimelineFrame& frame, const std::vector<ChainStep>& chain, const std::vector<Link>& links,
    QPainter& painter, LabelPainter& labels, const std::vector<QRectF>& texts, std::vector<QRectF> taken = {});

}  // namespace lanes::gui
