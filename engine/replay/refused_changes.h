// SPDX-License-Identifier: MIT
// Why What if has no answer, in the form of all refusals.
#pragma once

#include "engine/analysis/words/refused.h"
#include "engine/replay/whatif.h"

#include <vector>

namespace lanes::replay {

/// The reasons of a shut gate; where nothing is offered, `why` (WhatIf::why_nothing) if it is known; empty if something
/// is predicted.
std::vector<Refused> refused_changes(
    const Gate& gate, const std::vector<Prediction>& predictions, const Message& why = {});

}  // namespace lanes::replay
