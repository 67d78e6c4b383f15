// SPDX-License-Identifier: MIT
// The texts of a lesson with the figures of the recordings that are shown, as the window and `lanes show` print them.
#pragma once

#include "engine/analysis/lesson_figures.h"
#include "engine/workload/workload.h"

#include <optional>
#include <span>

namespace lanes {

struct LessonTexts {
    /// The workload's text and, below it, a line for each shown variant that has one; with its letter if two are shown.
    /// Then a line for each usual figure that the recordings contradict.
    std::string look;
    std::string why, rule;
};

/// The title of a variant in `language`, else its name. Used above recordings, in choices and in texts; commands and
/// files have the name.
std::string variant_title(const Workload& workload, const std::string& variant, const std::string& language);

/// The titles of the workload and variant whose texts a recording shows (told_run.h); "" if there is none.
struct RecordedTitles {
    std::string workload, variant;
};
RecordedTitles recorded_titles(const Trace& trace, const std::string& language);

/// The part of the time that the recording's workload shows first; nothing: all of it, or no lesson.
/// Cost: that of told_run().
std::optional<FirstView> recorded_view(const Trace& trace);

/// `text` with its figures, of A and B if there is one. A figure that is not known is an en dash, or removes the
/// optional part around it. `own` is the side that a variant's text is about, -1: the text is the lesson's. Text that
/// does not parse (which a workload cannot have) is returned unchanged. Cost: that of the figures, linear in the
/// calls and reads of the recordings.
std::string filled(const std::string& text, const Workload& workload, const std::string& language,
    std::span<const LessonRun> runs, int own = -1);

/// All texts of the lesson; `runs` are none, A, or A and B.
LessonTexts lesson_texts(const Workload& workload, const std::string& language, std::span<const LessonRun> runs);

}  // namespace lanes
