// SPDX-License-Identifier: MIT
// The figures of one recording that a lesson's texts and its usual figures use.
#pragma once

#include "engine/analysis/report.h"
#include "engine/workload/lesson_text.h"

#include <optional>
#include <string>

namespace lanes {

class Workload;

/// A recording of one of the workload's variants; trace and report outlive it. `report` is of the whole recording;
/// null: not known yet.
struct LessonRun {
    std::string variant;
    const Trace* trace;
    const Report* report;
};

/// ns, bytes or a number; nothing if the recording does not say. Cost: linear in the operations or reads for some,
/// constant for most.
std::optional<double> lesson_figure(const LessonRun& run, LessonFigure figure);
/// As it is written: "17.3 ms", "24 MiB", "120", or the share, "88 %". Cost: that of lesson_figure().
std::optional<std::string> lesson_figure_text(const LessonRun& run, LessonFigure figure, bool share);
/// A run's value of the figure that its lesson is about.
struct ComparedValue {
    std::string label;  ///< "time to answer"
    std::string text;  ///< "2.02 ms"
    std::optional<Ns> amount;  ///< a time in ns, else bytes or a number; nothing: it is a share
    bool is_time = false;
};
/// Nothing if the workload names no figure (ComparedFigure), or the recording does not say. Cost: that of
/// lesson_figure().
std::optional<ComparedValue> compared_value(
    const Workload& workload, const LessonRun& run, const std::string& language);

/// What the figure is a share of.
std::optional<double> whole_of_lesson_figure(const LessonRun& run, LessonFigure figure);

}  // namespace lanes
