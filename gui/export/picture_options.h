// SPDX-License-Identifier: MIT
// What a picture shows and how large it is: the choices of `lanescope render` and of the export dialog.
#pragma once

#include "gui/lanes/lane_layout.h"
#include "gui/lanes/shown_recording.h"

#include <QSize>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace lanes::gui {

/// How the time is told: ticks over the lanes and a grid, a bar of a known length under them, or not at all.
enum class TimeAxis : std::uint8_t { ruler, bar, none };

/// How SVG files hold their texts.
enum class SvgText : std::uint8_t {
    text,  ///< as text alone: small and easy to edit; looks as meant where the font Inter is installed
    outlines,  ///< as shapes alone
    embedded,  ///< the glyphs that are used, each once, as shapes; the text lies over them unseen, to be found and
               ///< copied
};

struct PictureOptions {
    /// Logical pixels; a width or height of 0 is chosen: 1600 wide, as high as the views are or the lanes need.
    QSize size {0, 0};
    double scale = 1;  ///< device pixels a logical one, PNG only
    double pointsPerPixel = 0.75;  ///< how large a logical pixel is on paper, in points of 1/72 inch
    SvgText svgText = SvgText::text;
    std::optional<LaneDensity> density;  ///< nothing: compact where the picture is narrower than 480
    std::optional<Interval> range;  ///< nothing: everything
    QString theme = QStringLiteral("light");
    QString title;  ///< over all of it; empty: the workload's
    bool showTitle = true;
    bool figures = true;  ///< how busy each lane is, beside its name
    bool heads = true;  ///< name and verdict over each recording
    bool legend = true;
    bool source = true;  ///< where the recordings come from
    bool differences = true;  ///< between two recordings, how they differ
    bool overview = true;  ///< where in the whole the shown range lies; only with a range
    bool selection = true;  ///< what is selected in the views, with its arrows, and what a search found
    TimeAxis axis = TimeAxis::ruler;
    QString language = QStringLiteral("en");
    bool annotations = true;  ///< what somebody wrote and drew over the lanes
};

/// Whether the picture has the layout for narrow ones: names above the lanes, no strip between recordings, no overview.
bool isCompact(const PictureOptions& options);

/// What a picture's file is called where nobody said so, without its ending: "copy-results-back.blocking+overlapped".
/// Of the workloads and variants, else the titles; letters, digits, dots, dashes and pluses alone.
QString pictureName(const std::vector<const ShownRecording*>& recordings);

/// The title that a picture has where none was chosen: the workload's, or its name, or "".
QString pictureTitle(const Trace& trace);

}  // namespace lanes::gui
