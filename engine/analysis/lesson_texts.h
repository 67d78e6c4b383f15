// SPDX-License-Identifier: MIT
// The texts of a lesson with the figures of the recordings that are shown, as the window and `lanes show` print them.
#pragma once

#include "engine/analysis/lesson_figures.h"
#include "engine/workload/workload.h"

#include <optional>
#include <span>

namespace lanes {

struct LessonTexts {
    /// Of the workload and, below that, a line for each variant that is shown and says something; of two with its
    /// letter. Behind them a line for each usual figure that the recordings contradict.
    std::string look;
    std::string why, rule;
};

/// The title of a variant in `language`, else its name. It is what stands over a recording, in choices and in texts;
/// commands and files have the name.
std::string variant_title(const Workload& workload, const std::string& variant, const std::string& language);

/// The titles of what a recording is of, by the workload that it carries; "" where it carries none that can be read.
struct RecordedTitles {
    std::string workload, variant;
};
RecordedTitles recorded_titles(const Trace& trace, const std::string& language);

/// The part of the time that the lesson shows first which a recording is of, as its own text says, else that of the
/// catalogue where it was run as that has it; nothing: all of it, or no lesson. Cost: reads the workload.
std::optional<FirstView> recorded_view(const Trace& trace);

/// `text` with its figures, of A and B where there is one; one that is not known is an en dash, or takes what is
/// optional around it with it. `own` is the side that a variant's text is about, -1: the text is the lesson's. Text
/// that does not parse (which a workload cannot have) is given back as it is. Cost: that of the figures, linear in the
/// calls and reads of the recordings.
std::string filled(const std::string& text, const Workload& workload, const std::string& language,
    std::span<const LessonRun> runs, int own = -1);

/// All texts of the lesson; `runs` are none, A, or A and B.
LessonTexts lesson_texts(const Workload& workload, const std::string& language, std::span<const LessonRun> runs);

}  // namespace lanes
