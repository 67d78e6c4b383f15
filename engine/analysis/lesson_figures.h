// SPDX-License-Identifier: MIT
// The figures that a lesson's texts give and its usual figures are about, of one recording.
#pragma once

#include "engine/analysis/report.h"
#include "engine/workload/lesson_text.h"

#include <optional>
#include <string>

namespace lanes {

/// A recording of one of the workload's variants; trace and report outlive it. `report` is of the whole recording, null
/// where that is not known yet.
struct LessonRun {
    std::string variant;
    const Trace* trace;
    const Report* report;
};

/// ns, bytes or a number; nothing where the recording cannot tell it. Cost: linear in the operations or reads for some,
/// constant for most.
std::optional<double> lesson_figure(const LessonRun& run, LessonFigure figure);
/// What the figure is a share of.
std::optional<double> whole_of_lesson_figure(const LessonRun& run, LessonFigure figure);

}  // namespace lanes
