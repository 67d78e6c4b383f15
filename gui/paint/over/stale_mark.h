// SPDX-License-Identifier: MIT
// What the host read before it was there, marked on its lane: a sign, and how much of
// it was old, on the read itself or beside it where that is too short.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

namespace lanes::gui {

/// "stale: 64 MiB of 64 MiB old", then shorter ones.
QStringList staleTexts(const Read& read);

/// Over the drawn rows. Cost: the reads in sight, at most a few hundred a row.
void paintStaleReads(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector);

}  // namespace lanes::gui
