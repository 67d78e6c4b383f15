// SPDX-License-Identifier: MIT
// To what of a recording changes can be limited, from what is selected in it.
#pragma once

#include "engine/trace/event_ref.h"
#include "gui/session/open_recording.h"

#include <QString>

#include <vector>

namespace lanes::gui {

struct WhatIfScope {
    QString title;  ///< "All “transform”"
    QString query;  ///< engine/analysis/query; empty: all of the recording
    Interval part = {};  ///< the stretch of time that it is; empty: it is none
};

/// All of it, what repeats in it where the window shows that first, then the selected event alone, all of its name and
/// its lane, then the selected range (empty: none is). A call that issued an operation gives the scopes of that
/// operation.
std::vector<WhatIfScope> whatIfScopes(const OpenRecording& recording, EventRef selected, Interval range);

}  // namespace lanes::gui
