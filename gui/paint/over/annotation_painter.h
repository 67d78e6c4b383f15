// SPDX-License-Identifier: MIT
// Annotations as they lie over the lanes of a frame, on the screen and in pictures: in the theme's accent, texts on
// plates that stay inside the picture. What lies outside of the shown time or in a lane that is not shown is left out.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <optional>

namespace lanes::gui {

/// Where an annotation lies, in logical pixels of the frame.
struct AnnotationPlace {
    std::size_t index;  ///< in the recording's annotations
    QPointF from, to;  ///< of a text: both are its place
    QRectF body;  ///< what a frame surrounds; else between the two points
    std::optional<QRectF> plate;  ///< with its text or its time
    QString text;
};

/// Those that are in sight, in their order.
std::vector<AnnotationPlace> placeAnnotations(const TimelineFrame& frame, LabelPainter& labels);

/// The one that a point is on, the last where several are, by its index.
std::optional<std::size_t> annotationAt(const TimelineFrame& frame, QPointF at, LabelPainter& labels);

/// Where a point of the frame is in the recording; the lane under it, or the nearest one.
AnnotationSpot spotAt(const TimelineFrame& frame, QPointF at);

/// `chosen`: the one that is selected, in a window.
void paintAnnotations(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector,
    std::optional<std::size_t> chosen = {});

}  // namespace lanes::gui
