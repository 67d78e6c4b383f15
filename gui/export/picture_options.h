// SPDX-License-Identifier: MIT
// What a picture shows and how large it is: the choices of `lanescope render` and of the export dialog.
#pragma once

#include "gui/lanes/shown_recording.h"

#include <QSize>
#include <QString>

#include <cstdint>
#include <optional>

namespace lanes::gui {

/// How the time is told: ticks over the lanes and a grid, a bar of a known length under them, or not at all.
enum class TimeAxis : std::uint8_t { ruler, bar, none };

struct PictureOptions {
    /// Logical pixels; a width or height of 0 is chosen: 1600 wide, as high as the views are or the lanes need.
    QSize size {0, 0};
    double scale = 1;  ///< device pixels a logical one, PNG only
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
};

/// The title that a picture has where none was chosen: the workload's, or its name, or "".
QString pictureTitle(const Trace& trace);

}  // namespace lanes::gui
