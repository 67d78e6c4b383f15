// SPDX-License-Identifier: MIT
// QSvgGenerator writes a group with every attribute for each stroke of the painter,
// among them the desktop's font. Here only what differs from the last group is kept,
// rectangles of one colour become one path, and the font gets others to fall back on
// where it is not installed. A tenth of the bytes, the same picture, the same bytes on
// every desktop.
#pragma once

#include "gui/export/picture_options.h"

#include <QByteArray>
#include <QSize>
#include <QString>

namespace lanes::gui {

/// `svg` as QSvgGenerator writes it; linear in its length. Of the options: how large a pixel is, how texts are held.
QByteArray tidySvg(const QByteArray& svg, QSize size, const QString& title, const PictureOptions& options);

}  // namespace lanes::gui
