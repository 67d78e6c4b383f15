// SPDX-License-Identifier: MIT
// Where recordings contradict what a workload says is usual: a graph that is no faster than launches. A lesson must say
// so.
#pragma once

#include "engine/analysis/lesson_figures.h"
#include "engine/workload/workload.h"

#include <span>

namespace lanes {

/// A sentence for each usual figure of the workload that these runs contradict, in its order; variants are named in
/// `language`. Nothing is contradicted by a run with other settings than the variant's, one that was cut short and
/// should not be, a figure that is not known, or one that equals its limit once it is rounded. Cost: that of
/// lesson_figure().
std::vector<Message> unusual(const Workload& workload, const std::string& language, std::span<const LessonRun> runs);

/// The same for two recordings, by the workload in the first, or by the catalogue's of that name if the former has no
/// usual figures. None if the other is of another workload.
std::vector<Message> unusual(
    const Trace& a, const Report& report_a, const Trace& b, const Report& report_b, const std::string& language);

}  // namespace lanes
