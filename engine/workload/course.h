// SPDX-License-Identifier: MIT
// The order of a course: chapters, lessons, what they take and what comes before them. `order.txt` beside the
// workloads:
//
//   # a comment
//   [Running ahead | 先行执行]             a chapter, in English and Chinese
//   run-ahead | 10                        a lesson, and how many minutes it takes
//   timing-mistakes | 8 | run-ahead       and what one should have seen before
//
// All but the name may be left out.
#pragma once

#include "engine/workload/workload.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

struct CourseLesson {
    std::string name;  ///< of the workload
    std::uint32_t minutes = 0;  ///< 0: not said
    std::vector<std::string> after;  ///< lessons of this course that come before it
    std::optional<std::size_t> chapter;
};

struct Course {
    std::vector<Translated> chapters;
    std::vector<CourseLesson> lessons;  ///< in the order of teaching
    const CourseLesson* find(const std::string& name) const;  ///< nullptr: not in the course
};

/// The workloads in `folder`, in the order of its order.txt; those it does not name follow, sorted, in no chapter.
/// Names in it without a workload are left out. Throws WorkloadError for a line that it cannot be, with its place, and
/// for a lesson that is to be known before one that comes earlier. Cost: reads the folder.
Course course_of(const std::filesystem::path& folder);

/// That of Lanescope. Throws std::runtime_error if there are no resources.
Course course();

}  // namespace lanes
