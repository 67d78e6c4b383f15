// SPDX-License-Identifier: MIT
// To what of a recording changes can be limited, from what is selected in it.
#pragma once

#include "engine/trace/event_ref.h"
#include "gui/lanes/scope.h"
#include "gui/session/open_recording.h"

#include <QString>

#include <vector>

namespace lanes::gui {

struct WhatIfScope {
    QString title;  ///< "All “transform”"
    QString query;  ///< engine/analysis/query; empty: all of the recording
    Interval part = {};  ///< the stretch of time that it is; empty: it is none
};

/// The workspace's scope, then within it the selected event alone, all of its name and its lane. `side` is that of the
/// recording. A call that issued an operation gives the scopes of that operation.
std::vector<WhatIfScope> whatIfScopes(const OpenRecording& recording, EventRef selected, const Scope& scope, int side);

/// Of these all of the selected operation's name.
WhatIfScope whatIfScopeOfName(const OpenRecording& recording, Row operation, const Scope& scope, int side);

}  // namespace lanes::gui
