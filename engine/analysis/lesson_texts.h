// SPDX-License-Identifier: MIT
// The texts of a lesson with the figures of the recordings that are shown, as the window and `lanes show` print them.
#pragma once

#include "engine/analysis/report.h"
#include "engine/workload/workload.h"

#include <span>

namespace lanes {

/// A recording of one of the workload's variants; trace and report outlive it. `report` is of the whole recording, null
/// where that is not known yet.
struct LessonRun {
    std::string variant;
    const Trace* trace;
    const Report* report;
};

struct LessonTexts {
    /// Of the workload and, below that, a line for each variant that is shown and says something; of two with its
    /// letter.
    std::string look;
    std::string why, rule;
};

/// The title of a variant in `language`, else its name.
std::string variant_title(const Workload& workload, const std::string& variant, const std::string& language);

/// What stands over a recording: in English the variant's name, which commands and files have, else its title.
std::string variant_heading(const Workload& workload, const std::string& variant, const std::string& language);

/// The titles of what a recording is of, by the workload that it carries; "" where it carries none that can be read.
struct RecordedTitles {
    std::string workload, variant;  ///< title; heading
};
RecordedTitles recorded_titles(const Trace& trace, const std::string& language);

/// `text` with its figures, of A and B where there is one; one that is not known is an en dash, or takes what is
/// optional around it with it. `own` is the side that a variant's text is about, -1: the text is the lesson's. Text
/// that does not parse (which a workload cannot have) is given back as it is. Cost: that of the figures, linear in the
/// calls and reads of the recordings.
std::string filled(const std::string& text, const Workload& workload, const std::string& language,
    std::span<const LessonRun> runs, int own = -1);

/// All texts of the lesson; `runs` are none, A, or A and B.
LessonTexts lesson_texts(const Workload& workload, const std::string& language, std::span<const LessonRun> runs);

}  // namespace lanes
