// SPDX-License-Identifier: MIT
// What was changed in a predicted run, as its recording says it.
#pragma once

#include "engine/trace/trace.h"

#include <QString>

namespace lanes::gui {

/// "pin memory + non-blocking copies", in the window's language; words that are no change as they are. "": it is no
/// prediction, or does not say.
QString predictedChanges(const Trace& trace);

}  // namespace lanes::gui
