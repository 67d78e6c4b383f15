// SPDX-License-Identifier: MIT
// Draws how a GPU spent its time: every three pixels a column of side by side, compute alone and exposed, stacked; what
// is left over is idle. An exposed stretch that has room bears its length. Beside it are the three times.
//
// Cost: three searches a column, however many operations lie in it, once a frame.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <array>
#include <vector>

namespace lanes::gui {

/// What a column of [x0, x1) shows, as shares of its time. Logical pixels of the frame.
struct GpuTimeColumn {
    double x0, x1;
    double sideBySide, computeAlone, exposed;
};
/// Where columns lie: `columns` device pixels of a scale, `ratio` of them a logical pixel, from `left` on. Nothing is
/// shown from `until` on.
struct GpuTimeColumns {
    const TimeScale& scale;
    std::int64_t columns;
    double ratio, left;
    Ns until;
};
/// Those of a lane that hold anything; columns begin at multiples of their width in time, so that panning changes none.
std::vector<GpuTimeColumn> gpuTimeColumns(const GpuTimeColumns& where, const Lane& lane);

/// A graph in sight.
struct GpuGraph {
    const PlacedLane* placed;
    int top;  ///< above it nothing of the graph is seen
    std::vector<GpuTimeColumn> columns;
};
/// All of them, to be drawn; valid as long as the frame's layout is.
std::vector<GpuGraph> gpuGraphs(const TimelineFrame& frame);

/// Stacked within `box`.
void paintGpuTimeColumns(
    const std::vector<GpuTimeColumn>& columns, const QRectF& box, double ratio, const Theme& theme, QPainter& painter);
void paintGpuTimes(const TimelineFrame& frame, const std::vector<GpuGraph>& graphs, QPainter& painter, bool vector);
/// The lengths of exposed stretches, over what paintGpuTimes() drew.
void paintExposedLengths(const TimelineFrame& frame, const std::vector<GpuGraph>& graphs, QPainter& painter,
    LabelPainter& labels, bool vector);

/// A lane from this height on has its three times under its name.
inline constexpr int least_with_times = 50;
/// Under the name of the lane: side by side, compute alone, exposed.
void paintGpuTimeFigures(const TimelineFrame& frame, const PlacedLane& lane, const std::array<Ns, 3>& times,
    QPainter& painter, LabelPainter& labels, bool vector);

}  // namespace lanes::gui
