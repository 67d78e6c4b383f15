// SPDX-License-Identifier: MIT
// What a page draws over its lanes: the user's annotations, and the sketches of pageable copies' staging, which no
// recording has (paint/staging_painter.h).
#pragma once

#include "gui/export/html/page_facts.h"
#include "gui/export/html/page_texts.h"

#include <QJsonArray>

namespace lanes::gui {

/// {kind: text, bracket, arrow or frame, text, from and to: [ns, lane or -1 for all of them, height in it]}.
QJsonArray annotationsOf(const PageRecording& recording, PageTexts& texts);

/// {at: [lane, row, item] of the call, each: ns of a piece, pieces, text: where pieces are too narrow to show, parts:
/// [step of `stagingWords`, ns, …] from the call's start}. Of the first 200 pageable copies; of more than 2,000 parts
/// in all the parts are left out. Cost: a look at each call's name.
QJsonArray stagingOf(const PageRecording& recording, PageTexts& texts);
/// The steps by their number, then the mark of what was not recorded.
QJsonArray stagingWords(PageTexts& texts);

}  // namespace lanes::gui
