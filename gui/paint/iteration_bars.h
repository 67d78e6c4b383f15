// SPDX-License-Identifier: MIT
// How long each iteration of one or two recordings took: a bar each, in their order, all on one scale. Outliers are
// gold, the one that is shown is blue. What is longer than the scale has a break near its top. For the strip over the
// lanes and for pictures.
//
// Where there are more iterations than pixels, a column of pixels has the longest of its own. Cost: linear in the
// iterations.
#pragma once

#include "gui/lanes/shown_recording.h"
#include "gui/paint/label_painter.h"

#include "engine/analysis/iterations.h"

#include <array>
#include <memory>
#include <optional>
#include <QPolygonF>
#include <QRectF>
#include <QStringList>

namespace lanes::gui {

struct IterationBars {
    static constexpr int strip_height = 66;

    struct Side {
        RecordingPtr recording = {};
        std::shared_ptr<const Iterations> iterations = {};  ///< null: there are none, and the side has no room
        std::optional<std::size_t> shown = {};  ///< the one that the lanes show
    };
    struct Place {
        int side;
        std::size_t index;  ///< into Iterations::all
        friend bool operator==(const Place&, const Place&) = default;
    };
    std::array<Side, 2> sides;
    bool isPair = false;  ///< the recordings have letters

    bool isEmpty() const { return !sides[0].iterations && !sides[1].iterations; }
    /// ns that a whole bar stands for: the longest after the warm-up, at most four times the typical one.
    Ns scale() const;
    /// What lies at a point, in logical pixels from the strip's top left corner.
    std::optional<Place> at(QPointF point, int width) const;
    QRectF boxOf(const Place& place, int width) const;
    /// Whether it is longer than the scale.
    bool isCut(const Place& place) const;
    /// Of a bar that is cut: what is left out of it, a zigzag of the background from edge to edge; empty of others.
    QPolygonF breakOf(const Place& place, int width) const;
    /// "A: 201 iterations, the typical one takes 4.04 ms, 20 slow", with what is said of the one that is shown.
    QStringList lines() const;
    /// `width` × strip_height, with its top left corner at the painter's origin.
    void paint(QPainter& painter, const Theme& theme, LabelPainter& labels, int width, std::optional<Place> hovered,
        bool vector) const;

private:
    QRectF plotOf(int side, int width) const;
    QString headOf(int side) const;
    QString shownOf(int side) const;
    QString scaleText() const;
    void paintSide(QPainter& painter, const Theme& theme, LabelPainter& labels, int side, int width,
        std::optional<Place> hovered, bool vector) const;
};

}  // namespace lanes::gui
