// SPDX-License-Identifier: MIT
// Pictures of one or two recordings: PNG, SVG, PDF, drawn by the code that draws the
// view. The same input gives the same bytes; text is text in the vector formats; no
// display is needed, but a QGuiApplication (offscreen) is.
#pragma once

#include "gui/timeline/recording.h"
#include "gui/timeline/theme.h"

#include <QByteArray>
#include <QSize>
#include <optional>
#include <stdexcept>

namespace lanes::gui {

enum class PictureFormat : std::uint8_t { png, svg, pdf };

struct PictureOptions {
    /// Logical pixels; a width or height of 0 is chosen: 1600 wide, as high as the lanes need.
    QSize size{0, 0};
    double scale = 1;  ///< device pixels a logical one, PNG only
    std::optional<TimeSpan> range;  ///< nothing: everything
    QString theme = QStringLiteral("light");
    QString title;         ///< over all of it; empty: the workload's
    bool showTitle = true;
    bool legend = true;  ///< with the line that says where the recordings come from
    QString language = QStringLiteral("en");
};

/// The workload's title, or its name, or "".
QString pictureTitle(const Trace& trace);

/// One or two recordings. Throws std::runtime_error if the picture would be larger than 32767 pixels a side, or
/// cannot be made.
QByteArray renderPicture(const std::vector<RecordingPtr>& recordings, PictureFormat format, const PictureOptions& options = {});

/// By the ending of `path`; nothing for an unknown one.
std::optional<PictureFormat> pictureFormatOf(const QString& path);

/// Draws into an image of any size, for previews and the clipboard.
QImage pictureImage(const std::vector<RecordingPtr>& recordings, const PictureOptions& options = {});

}  // namespace lanes::gui
