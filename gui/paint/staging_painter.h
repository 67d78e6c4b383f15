// SPDX-License-Identifier: MIT
// The staging of pageable copies over a recording whose source does not record it: a sketch in dashed lines inside the
// copy's API call, marked "not recorded". Nothing of it is an item: it is not found, counted or exported.
//
// Calls of one row that copy in the same direction and are about equally long (even_labels.h) all have their sketch, or
// none has.
//
// A recording of a model device has its own records of staging and gets no sketch. Cost: of the API calls in sight that
// are at least `looked_at` wide, one look at their names; of a sketch, of what of it is in sight.
#pragma once

#include "engine/run/model/staging_sketch.h"
#include "gui/lanes/lane_model.h"
#include "gui/paint/even_labels.h"
#include "gui/paint/label_painter.h"

#include <optional>
#include <QPen>
#include <vector>

namespace lanes::gui {

struct TimelineFrame;

/// The sketch of a call's staging; nothing where it made no pageable copy, where its source records the staging, or
/// where the recording came without a model device to take the proportions from.
std::optional<StagingSketch> stagingSketchOf(const ShownRecording& recording, Row call);
/// In words, for a tooltip: "staging (not recorded): 276 pieces of 974 KiB, …"; empty where there is no sketch.
QString stagingText(const ShownRecording& recording, Row call);
/// A step's name, the mark of what was not recorded, and what stands for pieces that are too narrow to be seen: the
/// fullest first.
QString stagingStepText(StagingStep step);
QString stagingMark();
QStringList stagingOverview(std::size_t pieces);
/// Whether a frame shows a sketch; for the legend, which draws it with the same pen.
bool showsStaging(const TimelineFrame& frame);
QPen stagingPen(const Theme& theme, double width);

class StagingPainter {
public:
    static constexpr double least_width = 200;  ///< logical pixels: closer together they would be clutter
    static constexpr double looked_at = least_width / about_equal;  ///< may be about as long as one of that width
    static constexpr int least_height = 14;

    explicit StagingPainter(const TimelineFrame& frame)
        : m_frame(frame)
    {
    }

    /// A call that is drawn on its own, `middle` and `height` of its row.
    void look(Row call, double middle, double height);
    /// All have been looked at: those whose equals have no room for a sketch have none either.
    void settle();
    /// The place of a text that begins at `x` on the row at `middle`, beside a sketch: its middle and height change
    /// where the two have room above one another.
    void giveWay(double x, double& middle, double& height);
    /// Such a text ends at `end`: a sketch that is beside it begins after it.
    void taken(double x, double rowMiddle, double end);
    void paint(QPainter& painter, LabelPainter& labels, bool vector);

private:
    struct Place {
        StagingSketch sketch;
        double x0, x1, middle, height;
        double textEnd;  ///< logical x
        bool up;  ///< to the GPU
        bool cut;  ///< a part is out of sight: like no other
        bool fits;  ///< alone it would have its sketch
        std::size_t group = 0;  ///< the same for equals
    };
    /// Where the sketch is drawn.
    struct Span {
        double left, right;
    };
    Span spanOf(const Place& place) const;
    bool showsPieces(const StagingSketch& sketch) const;
    template <class Fits> void dropGroups(Fits fits);
    Place* at(double x, double middle);
    void paint(const Place& place, QPainter& painter, LabelPainter& labels, bool vector) const;

    friend bool showsStaging(const TimelineFrame& frame);
    const TimelineFrame& m_frame;
    std::vector<Place> m_places;
};

}  // namespace lanes::gui
