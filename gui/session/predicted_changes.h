// SPDX-License-Identifier: MIT
// Whether a run is predicted, and what was changed in it, as its recording says it.
#pragma once

#include "engine/trace/trace.h"

#include <QString>

namespace lanes::gui {

/// Whether it is a run that What if predicted.
inline bool isPredicted(const Trace& trace)
{
    return trace.source == Source::predicted;
}

/// "pin memory + non-blocking copies", in the window's language; words that are no change as they are. "": it is no
/// prediction, or does not say.
QString predictedChanges(const Trace& trace);

}  // namespace lanes::gui
