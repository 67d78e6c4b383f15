// SPDX-License-Identifier: MIT
// Pictures of one or two recordings: PNG, SVG, PDF, drawn by the code that draws the
// view. The same input gives the same bytes, whatever the host's fonts, display,
// locale and time zone; text is text in the vector formats; no display is needed, but
// a QGuiApplication (offscreen) is.
#pragma once

#include "gui/export/picture_options.h"
#include "gui/timeline/view_state.h"

#include <optional>
#include <QByteArray>
#include <QSize>
#include <vector>

namespace lanes::gui {

enum class PictureFormat : std::uint8_t { png, svg, pdf };

struct Picture {
    QByteArray bytes;
    QSize size;  ///< pixels, or logical pixels of SVG and PDF
    int hiddenLanes = 0;  ///< for which the height, or that of the view, was too small; the picture says so, too
};

/// A slip of the scale shall not take the machine down: 2 GiB of memory.
inline constexpr int most_picture_side = 32767;
inline constexpr std::int64_t most_picture_area = 512'000'000;

/// One or two recordings. Throws std::runtime_error if the picture would have more than most_picture_side pixels a side
/// or, as PNG, more than most_picture_area, or cannot be made.
Picture renderPicture(const std::vector<ViewState>& views, PictureFormat format, const PictureOptions& options = {});

/// By the ending of `path`; nothing for an unknown one.
std::optional<PictureFormat> pictureFormatOf(const QString& path);

/// The same as the PNG, as an image, for previews and the clipboard.
QImage pictureImage(const std::vector<ViewState>& views, const PictureOptions& options = {});

}  // namespace lanes::gui
