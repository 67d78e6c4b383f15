// SPDX-License-Identifier: MIT
// Pictures of one or two recordings: PNG, SVG, PDF, drawn by the code that draws the
// view. The same input gives the same bytes, whatever the host's fonts, display,
// locale and time zone; text is text in the vector formats; no display is needed, but
// a QGuiApplication (offscreen) is.
#pragma once

#include "gui/export/picture_options.h"
#include "gui/timeline/view_state.h"

#include <QByteArray>
#include <QSize>
#include <optional>
#include <vector>

namespace lanes::gui {

enum class PictureFormat : std::uint8_t { png, svg, pdf };

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
