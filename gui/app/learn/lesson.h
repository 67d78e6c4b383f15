// SPDX-License-Identifier: MIT
// A lesson is a workload with its recordings: which variants lie side by side at
// first, and where their recordings come from.
#pragma once

#include "engine/workload/course.h"
#include "gui/app/run/run_request.h"

#include <string>
#include <vector>

namespace lanes::gui {

/// The two that workloads/compare.txt of the resources names for this workload, else its first and its last, or the
/// only one: between them lies what it is about. {""} where it has none.
std::vector<std::string> lessonVariants(const Workload& workload);

/// Where all of these variants come from, never one from here and one from there: the first of the shipped recordings'
/// GPUs that has them all, else the model device. Cost: reads two folders.
RunDevice lessonDevice(const Workload& workload, const std::vector<std::string>& variants);

/// The course that comes with Lanescope, read once; empty where it cannot be read.
const Course& ownCourse();

/// "2 Copies and memory · 12 min"; "" for a workload that is in no chapter.
QString chapterOf(const Workload& workload);

}  // namespace lanes::gui
