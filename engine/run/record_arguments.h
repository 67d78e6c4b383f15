// SPDX-License-Identifier: MIT
// Values of arguments, as `lanes record` and the window's Record dialog both understand them.
#pragma once

#include "engine/analysis/steps.h"
#include "engine/workload/quantity.h"

#include <optional>
#include <string>

namespace lanes {

/// The number in `text`, ns or bytes; nothing if it is not such a number, or not above 0.
std::optional<double> amount(const std::string& text, Dimension dimension);

/// "10:20"; nothing unless it is two whole numbers, the second one larger.
std::optional<StepNumbers> steps_of(const std::string& text);

}  // namespace lanes
