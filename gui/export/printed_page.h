// SPDX-License-Identifier: MIT
// The picture of what the window shows, on paper, with the texts of its lesson.
#pragma once

#include "gui/export/picture_options.h"
#include "gui/timeline/view_state.h"

#include <utility>
#include <vector>

class QPagedPaintDevice;

namespace lanes::gui {

/// What a lesson hands out beside its picture.
struct Handout {
    std::vector<std::pair<QString, QString>> sections = {};  ///< heading and text, beside one another
    QString code = {};
};

/// Draws the picture over the width of the paper, or as high as it where the lanes need more; the smallest text is at
/// least 4 points high, and where lanes have no room then the picture says so. The handout is under it, or on pages
/// of its own where it does not fit. Its parts are those of `options`. Throws std::runtime_error
/// if the paper cannot be painted on.
void printPicture(
    QPagedPaintDevice& paper, const std::vector<ViewState>& views, PictureOptions options, const Handout& handout = {});

}  // namespace lanes::gui
