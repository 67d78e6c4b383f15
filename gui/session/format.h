// SPDX-License-Identifier: MIT
// How the panels write figures and words; single times and sizes are written as the
// timeline writes them.
#pragma once

#include "engine/analysis/report.h"
#include "engine/trace/event_ref.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/time_format.h"
#include "gui/paint/words/utf8_text.h"

#include <QString>

namespace lanes::gui {

/// "48.8 ms", or "–" where the recording cannot tell.
QString maybeTime(MaybeNs ns);
QString countDifferenceText(std::int64_t count);
/// "87 %"; "" for an empty whole.
QString shareText(Ns part, Ns whole);

/// "main (1234)", or "thread 1234" where it has no name.
QString threadText(const Trace& trace, Row thread);
/// "GPU 0 · compute".
QString streamText(const Trace& trace, Row stream);
/// The stream of an operation, the thread of anything else.
QString laneText(const Trace& trace, EventRef event);

/// What can be opened, "recordings of Lanescope and exports of Nsight Systems (.sqlite), traces of …".
QString formatsText();

}  // namespace lanes::gui
