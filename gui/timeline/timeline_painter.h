// SPDX-License-Identifier: MIT
// Draws one recording: title row, ruler, lanes and their names. The view on the
// screen and the picture files are drawn by this same code.
//
// Everything that it draws follows from a TimelineFrame. Selection, hover and
// arrows are no part of it: see timeline_overlay.h.
#pragma once

#include "gui/timeline/label_painter.h"
#include "gui/timeline/lane_layout.h"
#include "gui/timeline/title_verdict.h"
#include "gui/timeline/row_canvas.h"

#include <cmath>

namespace lanes::gui {

/// Where the parts of a frame lie, in logical pixels.
struct FrameGeometry {
    static constexpr int title_height = 34;
    static constexpr int ruler_height = 22;

    QSize size;
    int labelWidth = 220;
    bool title = true;
    bool ruler = true;     ///< with the grid
    bool note = true;      ///< what the recording says of itself beside its title
    bool handles = false;  ///< triangles to collapse lanes by and the pins of pinned ones: for a hand, not for pictures
    bool pills = true;     ///< room for how busy each lane is
    bool texts = true;     ///< on items and beside lanes
    int scroll = 0;        ///< of the lanes that scroll, downwards

    int rulerTop() const { return title ? title_height : 0; }
    int lanesTop() const { return rulerTop() + (ruler ? ruler_height : 0); }
    int plotWidth() const { return std::max(size.width() - labelWidth, 1); }
    int lanesHeight() const { return std::max(size.height() - lanesTop(), 0); }
    /// Width of the lane names that suits a picture this wide.
    static int labelWidthFor(int width) { return std::clamp(width / 6, 196, 250); }
};

struct TimelineFrame {
    const LaneModel& model;
    const LaneLayout& layout;
    const Theme& theme;
    TimeScale scale;  ///< columns of 1/ratio logical pixels
    FrameGeometry geometry;
    double ratio = 1;  ///< device pixels a logical pixel
    QString letter;    ///< "A", "B"; empty where there is one recording
    TitleVerdict verdict;

    int columns() const { return static_cast<int>(geometry.plotWidth() * ratio); }
    /// Logical x in the frame.
    double xOf(Ns t) const { return geometry.labelWidth + scale.xOf(t) / ratio; }
    Ns timeAt(double x) const { return scale.timeAt((x - geometry.labelWidth) * ratio); }
    /// Whether a lane stays where it is while others scroll, and so lies over them.
    bool isSticky(const PlacedLane& lane) const { return lane.y + lane.height <= layout.stickyHeight(); }
    /// Where the lanes that scroll begin to be seen.
    int scrollTop() const { return geometry.lanesTop() + layout.stickyHeight(); }
    /// Logical y in the frame.
    int yOf(const PlacedLane& lane) const { return geometry.lanesTop() + lane.y - (isSticky(lane) ? 0 : geometry.scroll); }
    int yOf(const PlacedLane& lane, const PlacedRow& row) const { return yOf(lane) + row.y - lane.y; }
    int footerTop() const { return geometry.lanesTop() + layout.lanesHeight() - geometry.scroll; }
    /// `y` of the frame in the layout.
    int layoutY(double y) const
    {
        const int at = static_cast<int>(std::floor(y)) - geometry.lanesTop();
        return at < layout.stickyHeight() ? at : at + geometry.scroll;
    }
};

/// A ruler's ticks: the steps between labels, and what they are labelled.
struct RulerTicks {
    Ns step = 1;
    Ns first = 0;  ///< the first tick at or before the view's left edge
    static RulerTicks of(const TimelineFrame& frame, LabelPainter& labels);
};

class TimelinePainter {
public:
    /// On an RGB32 image of at least geometry.size · ratio pixels, with its top left corner at `offset` device pixels.
    void paint(const TimelineFrame& frame, QImage& image, QPoint offset = {});
    /// On a vector device, with the frame's top left corner at the painter's origin.
    void paint(const TimelineFrame& frame, QPainter& painter);

    LabelPainter& labels() { return m_labels; }

private:
    struct Target {
        QPainter& painter;
        bool vector;
    };
    void paintGround(const TimelineFrame& frame, Target target, const RulerTicks& ticks);
    void prepareGround(const TimelineFrame& frame, const RulerTicks& ticks);
    void paintRows(const TimelineFrame& frame, RowCanvas& canvas, bool sticky);
    void scanRows(const TimelineFrame& frame, bool sticky);
    void paintText(const TimelineFrame& frame, Target target, const RulerTicks& ticks);
    void paintItemLabels(const TimelineFrame& frame, Target target);
    void paintPending(const TimelineFrame& frame, Target target);
    void paintTitle(const TimelineFrame& frame, Target target);
    void paintRuler(const TimelineFrame& frame, Target target, const RulerTicks& ticks);
    void paintEnd(const TimelineFrame& frame, Target target);
    double paintPill(Target target, double x, double middle, double room, const QString& text, const QColor& ground, const QColor& color);

    /// A label that fits on an item, found while the rows are drawn.
    struct ItemLabel {
        double x, room, middle, height;
        ItemRef item;
        bool hatched;
        QColor ground;
    };
    LabelPainter m_labels;
    /// A row in sight, and which of m_scans is its.
    struct VisibleRow {
        const LaneRow* row;
        std::size_t scan;
        int y, height;
        bool over, overlap;
    };
    struct Scan {
        LaneRasterizer rasterizer;
        LaneColumns columns;
    };
    std::vector<VisibleRow> m_rows;
    std::vector<Scan> m_scans;
    std::vector<QRgb> m_pixels, m_ground;
    std::vector<ItemLabel> m_itemLabels;
};

}  // namespace lanes::gui
