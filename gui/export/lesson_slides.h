// SPDX-License-Identifier: MIT
// A lesson as slides: the questions, A, B, and the rule, each a page of a PDF in 16:9.
#pragma once

#include "engine/workload/workload.h"
#include "gui/export/picture_options.h"
#include "gui/timeline/view_state.h"

#include <QByteArray>

#include <vector>

namespace lanes::gui {

/// `views` are A, or A and B, each with a model that is ready; `options` says the language and the time that is shown.
/// Texts are in the language that tr() speaks. Throws std::runtime_error if it cannot be painted. Cost: some ms a page.
QByteArray lessonSlides(const Workload& workload, const std::vector<ViewState>& views, const PictureOptions& options);

}  // namespace lanes::gui
