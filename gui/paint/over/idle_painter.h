// SPDX-License-Identifier: MIT
// Why each stream stood idle, as a thin bar at the foot of its lane where nothing ran: what kept the next operation by
// colour (the CPU, a wait, the order of work, what the GPU has too little of) and pattern. A wait is grey as in lanes,
// and vermilion where it cost time.
//
// Cost: a look at up to eight parts a column and a search near by; where more share a column, the rest is taken to be
// like them.
#pragma once

#include "engine/analysis/graph/idle_reasons.h"
#include "gui/paint/timeline_frame.h"

#include <optional>
#include <QRectF>
#include <QStringList>

class QPainter;

namespace lanes::gui {

/// Over the lanes of streams that are not collapsed.
void paintIdle(const TimelineFrame& frame, const IdleReasons& idle, QPainter& painter);

/// The part whose bar is drawn at a point; null where there is none.
const IdlePart* idleAt(const TimelineFrame& frame, const IdleReasons& idle, QPointF at);

/// As the legend shows a reason.
void paintIdleSwatch(QPainter& painter, const Theme& theme, IdleReason reason, const QRectF& box);

/// Those that have bars in any of these, the longest first; null ones are passed over.
std::vector<IdleReason> shownReasons(const std::vector<const IdleReasons*>& idle);

/// "CPU late", and what it means.
QString idleWord(IdleReason reason);
QString idleSentence(IdleReason reason);
/// What a tooltip says of a part.
QStringList idleTip(const Trace& trace, const IdlePart& part);

}  // namespace lanes::gui
