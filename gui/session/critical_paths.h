// SPDX-License-Identifier: MIT
// Why a run took so long: its critical path, why its streams were idle, and how its iterations differ. What they were
// found from lives as long as they do.
#pragma once

#include "engine/analysis/graph/idle_reasons.h"
#include "engine/analysis/iterations.h"
#include "gui/lanes/shown_path.h"
#include "gui/session/scope_results.h"

namespace lanes::gui {

class CriticalPaths : public ResultsOf<ShownPath> {
public:
    explicit CriticalPaths(Workspace* workspace);
};

class IdleTimes : public ResultsOf<IdleReasons> {
public:
    IdleTimes(Workspace* workspace, Of of);
};

/// Of the whole recordings; null as well where nothing repeats.
class FoundIterations : public ResultsOf<Iterations> {
public:
    explicit FoundIterations(Workspace* workspace);
};

}  // namespace lanes::gui
