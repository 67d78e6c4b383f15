// SPDX-License-Identifier: MIT
// One trial for every command of the table. tst_command_trials carries each out once
// for every key of the command and once through its menu entry, each time in a fresh
// window: `prepare`, `seen` must be false, the input, `seen` must become true, `then`.
//
// A new command: add its row to trials.cpp, in the order of the command table.
#pragma once

#include "tests/gui/app/command_trials/trial_stage.h"

#include <functional>
#include <vector>

namespace lanes::gui {

struct CommandTrial {
    const char* id;
    std::function<void(TrialStage&)> prepare;
    std::function<bool(TrialStage&)> seen;  ///< what the command changed; TrialStage::before has the earlier state
    std::function<void(TrialStage&)> then = {};  ///< checked afterwards, such as what a dialog does
};

const std::vector<CommandTrial>& commandTrials();

}  // namespace lanes::gui
