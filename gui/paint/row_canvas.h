// SPDX-License-Identifier: MIT
// Where rows of items are drawn: on an image, as one row of pixels copied down, or
// in a vector file, as rectangles. Both draw from the same LaneColumns, so that a
// picture says the same whatever its format.
//
// Waits are hatched with lines of our own, which move with the columns. Where one is too short to be drawn on its
// own it takes its share of the column's height, from the bottom: a stretch that waits for a quarter of its time
// is hatched to a quarter of its height at every zoom; one that is alone in a column or two keeps as much of the
// height as a kernel there does of its colour. Where no stripe would fit it is all in the edge's colour.
// Colours are opaque; nothing is clipped, rectangles are cut instead.
#pragma once

#include "gui/lanes/lane_rasterizer.h"
#include "gui/paint/theme.h"

#include <functional>
#include <QImage>
#include <QPainter>

namespace lanes::gui {

RolePalette paletteOf(const Theme& theme, std::uint8_t shade = 0);

/// One row to draw. `pixels` holds the colour under every column on entry and over it on return, so that the
/// next row can lie over this one.
struct RowDrawing {
    const LaneColumns& columns;
    std::vector<QRgb>& pixels;
    int left, y, height;  ///< logical pixels
    int top, bottom;  ///< logical pixels: what lies outside is cut off
    std::int64_t first;  ///< TimeScale::first()
    const Theme::Hatch* hatch;  ///< of a row of waits; null: of another row
    bool lowest;  ///< no row lies under it
    std::uint8_t shade = 0;  ///< LaneRow::shade
};

/// How the narrow items of a row are hatched, by column.
struct NarrowHatch {
    std::vector<int> heights;  ///< of the height's unit; 0 where there is nothing
    std::vector<char> solid;  ///< no room for a stripe
    std::vector<int> even;  ///< heights as they are compared, four times: for reuse
};

/// Narrow items take their share of `height`; at least `least`, and LaneRasterizer::lonely_floor of it where they stand
/// alone. Fewer columns than `striped` beside one another whose hatch is about as high have no room for a stripe: cut
/// stripes would be a dust in which no stretch can be seen. Heights are compared after what alternates from column to
/// column is evened out, and hatched so where it does: of stretches that repeat every column or two the heights beat
/// with the columns, and the beat is not in the record. Cost: columns.
void findHatch(const LaneColumns& columns, int height, int striped, int least, NarrowHatch& hatch);

/// Memory for drawing, kept from row to row. Each thread has its own.
struct RowScratch {
    std::vector<QRgb> under, stripes, grounds;
    NarrowHatch narrow;
    std::vector<int> tops;  // by column: where its hatch begins, device pixels
};

class RowCanvas {
public:
    explicit RowCanvas(const Theme& theme);
    virtual ~RowCanvas() = default;
    virtual void draw(const RowDrawing& row, RowScratch& scratch) const = 0;
    /// What lies under columns [from, to) of a row that is yet to be drawn; an image takes it from the row's pixels.
    virtual void fillUnder(const RowDrawing&, std::int32_t, std::int32_t, QRgb) const { }
    /// Whether several threads may draw at once, each on other rows of the image.
    virtual bool takesThreads() const = 0;

protected:
    static constexpr double corner_radius = 3;
    static constexpr double least_striped = 6;  ///< logical pixels: narrower there is room for the outline alone
    static constexpr double least_hatched = 2;  ///< logical pixels

    const RolePalette& palette(const RowDrawing& row) const { return m_palettes[std::min<std::size_t>(row.shade, 2)]; }

    std::array<RolePalette, 3> m_palettes;  // by shade
    QRgb m_edge;
};

/// Draws on an RGB32 image, which must outlive this and whose pixels nothing else may move.
class ImageRowCanvas final : public RowCanvas {
public:
    ImageRowCanvas(const Theme& theme, QImage& image, double pixelRatio);
    void draw(const RowDrawing& row, RowScratch& scratch) const override;
    bool takesThreads() const override { return true; }

private:
    /// Device pixels: rows [from, to) as they are, and of those [top, bottom) on the image.
    struct Lines {
        int from, to, top, bottom;
    };
    int device(double logical) const;
    QRgb* line(int y) const { return m_pixels + static_cast<std::ptrdiff_t>(y) * m_stride; }
    void copyDown(const std::vector<QRgb>& pixels, int left, Lines lines) const;
    void hatch(const RowDrawing& row, RowScratch& scratch, Lines lines) const;
    std::vector<int> stripeShares(const Theme::Hatch& hatch) const;
    void roundCorners(const RowDrawing& row, const std::vector<QRgb>& under, Lines lines) const;

    QRgb* m_pixels;
    std::ptrdiff_t m_stride;
    int m_width, m_height;
    double m_ratio;
    std::vector<int> m_mask;  // of one corner, shares of 256 that stay
    int m_radius;
};

/// Draws with a painter on a vector device; columns are 1/ratio wide.
/// What it writes is bounded by the columns of a row, however many items the row has.
class VectorRowCanvas final : public RowCanvas {
public:
    VectorRowCanvas(const Theme& theme, QPainter& painter, double ratio);
    void draw(const RowDrawing& row, RowScratch& scratch) const override;
    void fillUnder(const RowDrawing& row, std::int32_t from, std::int32_t to, QRgb color) const override;
    bool takesThreads() const override { return false; }

private:
    void drawNarrow(const RowDrawing& row, double y, double height) const;
    void drawColumns(const RowDrawing& row, double y, double height, std::size_t begin, std::size_t end,
        const std::function<QRgb(std::size_t)>& colorAt) const;
    struct Run {
        double left, right, top;
    };
    void drawHatchedNarrow(const RowDrawing& row, double y, double height) const;
    void drawStripes(const std::vector<Run>& runs, double bottom, const RowDrawing& row) const;

    QPainter& m_painter;
    double m_ratio;
};

}  // namespace lanes::gui
