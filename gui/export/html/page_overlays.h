// SPDX-License-Identifier: MIT
// What a page draws over its lanes: the user's annotations.
#pragma once

#include "gui/export/html/page_facts.h"
#include "gui/export/html/page_texts.h"

#include <QJsonArray>

namespace lanes::gui {

/// {kind: text, bracket, arrow or frame, text, from and to: [ns, lane or -1 for all of them, height in it]}.
QJsonArray annotationsOf(const PageRecording& recording, PageTexts& texts);

}  // namespace lanes::gui
