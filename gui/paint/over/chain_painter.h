// SPDX-License-Identifier: MIT
// The chain of causes of a selection on the drawn lanes: an arrow for each step, fainter the further away it is, with
// its number and its reason where there is room.
#pragma once

#include "gui/lanes/cause_chain.h"
#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <QRectF>
#include <vector>

namespace lanes::gui {

/// What a step says: "same stream", "CPU 3.2 ms".
QString chainWords(const ChainStep& step);

/// Those steps alone that have an end in sight. What `links` draws already gets its number and reason, no arrow. A
/// plate with a reason lies on neither `texts` (boxes in the frame) nor bars: where there is no such place the number
/// stands alone. Steps that repeat on the same rows have one plate, with their number: "3 launch × 4".
/// Nothing lies on what is `taken`, as the tags of ends that are out of sight.
void paintChain(const TimelineFrame& frame, const std::vector<ChainStep>& chain, const std::vector<Link>& links,
    QPainter& painter, LabelPainter& labels, const std::vector<QRectF>& texts, std::vector<QRectF> taken = {});

}  // namespace lanes::gui
