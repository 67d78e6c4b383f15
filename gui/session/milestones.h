// SPDX-License-Identifier: MIT
// The steps of a run at which a teacher stops: each thing that happens, when it happens first. A loop of a hundred
// batches is represented by its first one.
#pragma once

#include "gui/session/run_steps.h"

namespace lanes::gui {

/// At most `most`, ascending: the first step of each kind (sentences that differ in figures only are of one kind), and
/// the last step of all. Of more kinds than that, the first step, the last and those between that last longest. Cost: a
/// sentence for each of the first few thousand steps.
std::vector<std::size_t> milestones(const RunSteps& steps, std::size_t most = 7);

}  // namespace lanes::gui
