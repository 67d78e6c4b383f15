// SPDX-License-Identifier: MIT
// Pictures of one or two recordings: PNG, SVG, PDF, drawn by the code that draws the
// view. The same input gives the same bytes, whatever the host's fonts, display,
// locale and time zone; text is text in the vector formats; no display is needed, but
// a QGuiApplication (offscreen) is.
#pragma once

#include "gui/timeline/theme.h"
#include "gui/timeline/view_state.h"

#include <QByteArray>
#include <QSize>
#include <optional>
#include <stdexcept>

namespace lanes::gui {

enum class PictureFormat : std::uint8_t { png, svg, pdf };

/// How the time is told: ticks over the lanes and a grid, a bar of a known length under them, or not at all.
enum class TimeAxis : std::uint8_t { ruler, bar, none };

struct PictureOptions {
    /// Logical pixels; a width or height of 0 is chosen: 1600 wide, as high as the views are or the lanes need.
    QSize size{0, 0};
    double scale = 1;  ///< device pixels a logical one, PNG only
    std::optional<TimeSpan> range;  ///< nothing: everything
    QString theme = QStringLiteral("light");
    QString title;  ///< over all of it; empty: the workload's
    bool showTitle = true;
    bool figures = true;    ///< how busy each lane is, beside its name
    bool heads = true;      ///< name and verdict over each recording
    bool legend = true;
    bool source = true;     ///< where the recordings come from
    bool differences = true;  ///< between two recordings, how they differ
    bool overview = true;   ///< where in the whole the shown range lies; only with a range
    bool selection = true;  ///< what is selected in the views, with its arrows, and what a search found
    TimeAxis axis = TimeAxis::ruler;
    QString language = QStringLiteral("en");
};

/// The workload's title, or its name, or "".
QString pictureTitle(const Trace& trace);

struct Picture {
    QByteArray bytes;
    QSize size;        ///< pixels, or logical pixels of SVG and PDF
    int hiddenLanes = 0;  ///< for which the height was too small; the picture says so, too
};

/// One or two recordings. Throws std::runtime_error if the picture would be larger than 32767 pixels a side, or
/// cannot be made.
Picture renderPicture(const std::vector<ViewState>& views, PictureFormat format, const PictureOptions& options = {});

/// Writes all of a file or nothing of it; "" or what went wrong.
QString saveWhole(const QString& path, const QByteArray& bytes);

/// By the ending of `path`; nothing for an unknown one.
std::optional<PictureFormat> pictureFormatOf(const QString& path);

/// The same as the PNG, as an image, for previews and the clipboard.
QImage pictureImage(const std::vector<ViewState>& views, const PictureOptions& options = {});

}  // namespace lanes::gui
