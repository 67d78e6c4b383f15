// SPDX-License-Identifier: MIT
// Draws the rows of all lanes in sight, each from what its columns hold, and finds the
// items on which a text would fit.
//
// Rows lie beside one another, so several threads draw them at once where that pays:
// most of the time goes into waiting for the memory, that of the items and that of the picture.
#pragma once

#include "gui/lanes/lane_row.h"
#include "gui/paint/row_canvas.h"
#include "gui/paint/ruler_ticks.h"
#include "gui/paint/staged_painter.h"
#include "gui/paint/timeline_frame.h"

#include <memory>
#include <mutex>
#include <vector>

namespace lanes::gui {

/// A place on an item that is wide enough for a text. Logical pixels. The text of a hatched wait or a staged copy is
/// on a plain ground at its left, that of a collective in its wider part: where it waits for a rank or after that.
struct ItemLabel {
    double x, room, middle, height;
    ItemRef item;
    bool hatched;
    QColor ground;
};

/// The ground of a collective while it waits for a rank.
QColor earlyGround(const Theme& theme);

/// Where a bar carries the mark of its role, left of its text.
struct ItemMark {
    QPointF center;
    ItemRole role;
    std::uint8_t shade;
};

class RowPainter {
public:
    static constexpr double least_label = 18;

    /// Finds the rows in sight; what follows is about these, and the frame must be the same.
    void find(const TimelineFrame& frame, const RulerTicks& ticks);
    /// Fills an RGB32 image with the background, but for what paint() on it will cover.
    void fillAround(const TimelineFrame& frame, QImage& image) const;
    void paint(const TimelineFrame& frame, const RowCanvas& canvas);
    /// Row by row, by time.
    const std::vector<ItemLabel>& labels() const { return m_labels; }
    /// In a theme with marks, of every bar that has one and room for it.
    const std::vector<ItemMark>& marks() const { return m_marks; }
    /// The copies of pageable memory that are wide enough to be drawn as staged.
    const std::vector<StagedBar>& staged() const { return m_staged; }
    /// Of the collectives that are drawn on their own, the part until the last of their kernels has begun.
    const std::vector<QRectF>& early() const { return m_early; }
    /// The waits that are drawn on their own. Logical pixels.
    const std::vector<QRectF>& hatches() const { return m_hatches; }

private:
    struct VisibleRow {
        const LaneRow* row;
        int y, height, top;
        bool over, overlap;
        std::vector<ItemLabel> labels;
        std::vector<ItemMark> marks;
        std::vector<QRectF> hatches;
        std::vector<StagedBar> staged;
        std::vector<QRectF> early;
    };
    /// What one thread needs to draw a row.
    struct Desk {
        LaneRasterizer rasterizer;
        LaneColumns columns;
        std::vector<QRgb> pixels;
        RowScratch scratch;
    };
    void findLanes(const TimelineFrame& frame, bool sticky);
    void paintPlace(const TimelineFrame& frame, const RowCanvas& canvas, std::size_t first, Desk& desk);
    void findLabels(const TimelineFrame& frame, const LaneColumns& columns, VisibleRow& row) const;
    static void findEarly(const TimelineFrame& frame, const LaneColumns& columns, VisibleRow& row);
    static void findStaged(const TimelineFrame& frame, const LaneColumns& columns, VisibleRow& row);
    static void findMarks(const TimelineFrame& frame, const LaneColumns& columns, VisibleRow& row);
    std::unique_ptr<Desk> takeDesk();

    std::vector<VisibleRow> m_rows;
    std::vector<std::size_t> m_places;  // the first of the rows that lie over one another
    std::size_t m_items = 0;  // in all of them
    std::vector<QRgb> m_ground;  // under every column: the background and the ruler's grid
    std::vector<ItemLabel> m_labels;
    std::vector<ItemMark> m_marks;
    std::vector<QRectF> m_hatches;
    std::vector<StagedBar> m_staged;
    std::vector<QRectF> m_early;
    std::vector<std::unique_ptr<Desk>> m_desks;
    std::mutex m_mutex;  // of m_desks
};

}  // namespace lanes::gui
