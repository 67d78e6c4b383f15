// SPDX-License-Identifier: MIT
// What the What-if panel says of a prediction and of the gate, in the window's language.
#pragma once

#include "engine/replay/whatif.h"

#include <QString>

namespace lanes::gui {

/// "−41.1 ms  −70 %" against the recorded total; of a wide interval the range: "−70 % … +2.0 %".
QString gainText(const replay::Prediction& prediction, Ns recorded);
/// "reliable".
QString classText(replay::Reliability reliability);
/// "Reliable: it moves what was recorded."
QString classSentence(replay::Reliability reliability);
/// "17.2 ms instead of 58.3 ms: 41.1 ms less (−70 %). Nine of ten times within …"
QString sentenceText(const replay::Prediction& prediction, Ns recorded);
/// The recorded total, or what of it is looked at (ns), and how well all of it replays unchanged.
QString gateText(const replay::Gate& gate, Ns seen, bool whole = true);

}  // namespace lanes::gui
