// SPDX-License-Identifier: MIT
// Whether a run does what the exercise of its workload asks for.
#pragma once

#include "engine/analysis/lesson_figures.h"
#include "engine/analysis/words/messages.h"
#include "engine/workload/workload.h"

#include <optional>
#include <vector>

namespace lanes {

struct CheckedLimit {
    const Limit* limit;  ///< of the exercise, which outlives it
    std::optional<double> value;  ///< percent, ns, bytes or a number; nothing: the recording does not say
    bool holds;  ///< false if the value is not known
};

/// The limits of the exercise, each held against this run. Cost: that of lesson_figure().
std::vector<CheckedLimit> check_exercise(const Exercise& exercise, const LessonRun& run);

bool is_solved(const std::vector<CheckedLimit>& checked);

/// "the total is below 20.0 ms: 17.2 ms", "the exposed part of the copy time is not below 30 %: 30.4 %".
Message checked_message(const CheckedLimit& checked);

}  // namespace lanes
