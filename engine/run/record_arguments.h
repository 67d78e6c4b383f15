// SPDX-License-Identifier: MIT
// Parses values of options, for `lanes record` and the window's Record dialog.
#pragma once

#include "engine/analysis/steps.h"
#include "engine/workload/quantity.h"

#include <optional>
#include <string>

namespace lanes {

/// The amount in `text`, in ns or bytes; nothing unless it is a number of this dimension above 0.
std::optional<double> amount(const std::string& text, Dimension dimension);

/// Parses "10:20"; nothing unless it is two whole numbers, the second one larger.
std::optional<StepNumbers> steps_of(const std::string& text);

}  // namespace lanes
