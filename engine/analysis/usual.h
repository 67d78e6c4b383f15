// SPDX-License-Identifier: MIT
// Where recordings contradict what a workload says is usual: a graph that is no faster than launches. A lesson is not
// to be silent about that.
#pragma once

#include "engine/analysis/lesson_figures.h"
#include "engine/workload/workload.h"

#include <span>

namespace lanes {

/// A sentence for each usual figure of the workload that these runs contradict, in its order; variants are named in
/// `language`. A run with other settings than the variant's, or one that was cut short and should not be, contradicts
/// nothing; nor does a figure that is not known, or that reads as its limit once it is rounded. Cost: that of
/// lesson_figure().
std::vector<Message> unusual(const Workload& workload, const std::string& language, std::span<const LessonRun> runs);

/// The same of two recordings, by the workload that the first carries, or by the catalogue's of that name where what it
/// carries says nothing of it. None where the other is of another workload.
std::vector<Message> unusual(
    const Trace& a, const Report& report_a, const Trace& b, const Report& report_b, const std::string& language);

}  // namespace lanes
