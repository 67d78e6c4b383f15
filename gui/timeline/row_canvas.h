// SPDX-License-Identifier: MIT
// Where rows of items are drawn: on an image, as one row of pixels copied down, or
// in a vector file, as rectangles. Both draw from the same LaneColumns, so that a
// picture says the same whatever its format.
//
// Blocked time is hatched with lines of our own, which move with the columns.
// Colours are opaque; nothing is clipped, rectangles are cut instead.
#pragma once

#include "gui/timeline/lane_rasterizer.h"

#include <QImage>
#include <QPainter>
#include <functional>

namespace lanes::gui {

/// One row to draw. `pixels` holds the colour under every column on entry and over it on return, so that the
/// next row can lie over this one.
struct RowDrawing {
    const LaneColumns& columns;
    std::vector<QRgb>& pixels;
    int left, y, height;  ///< logical pixels
    std::int64_t first;   ///< TimeScale::first()
    bool hatched;
};

class RowCanvas {
public:
    explicit RowCanvas(const Theme& theme);
    virtual ~RowCanvas() = default;
    virtual void draw(const RowDrawing& row) = 0;

protected:
    static constexpr double corner_radius = 3;
    static constexpr double hatch_period = 9;   ///< along x, logical pixels
    static constexpr double least_outlined = 8;  ///< logical pixels
    static constexpr double hatch_share = 0.42;  ///< of the period that a stripe takes

    RolePalette m_palette;
    QRgb m_edge, m_blocked, m_stripe, m_ground;
};

/// Draws on rows [top, bottom) of an RGB32 image, in device pixels.
class ImageRowCanvas final : public RowCanvas {
public:
    ImageRowCanvas(const Theme& theme, QImage& image, double pixelRatio, int top, int bottom);
    void draw(const RowDrawing& row) override;

private:
    int device(double logical) const;
    void copyDown(const std::vector<QRgb>& pixels, int left, int from, int to);
    void hatch(const RowDrawing& row, const std::vector<QRgb>& under, int from, int to);
    void roundCorners(const RowDrawing& row, const std::vector<QRgb>& under, int from, int to);

    QImage& m_image;
    double m_ratio;
    int m_top, m_bottom;
    std::vector<QRgb> m_under, m_stripes, m_grounds;
    std::vector<int> m_mask;  // of one corner, shares of 256 that stay
    int m_radius;
};

/// Draws with a painter on a vector device, between `top` and `bottom`; columns are 1/ratio wide.
/// What it writes is bounded by the columns of a row, however many items the row has.
class VectorRowCanvas final : public RowCanvas {
public:
    VectorRowCanvas(const Theme& theme, QPainter& painter, double ratio, int top, int bottom);
    void draw(const RowDrawing& row) override;

private:
    void drawNarrow(const RowDrawing& row, double y, double height);
    void drawColumns(const RowDrawing& row, double y, double height, std::size_t begin, std::size_t end,
        const std::function<QRgb(std::size_t)>& colorAt);
    void drawStripes(const QRectF& box, double originX, QRgb color);
    double originOf(const RowDrawing& row) const;

    QPainter& m_painter;
    double m_ratio;
    int m_top, m_bottom;
};

}  // namespace lanes::gui
