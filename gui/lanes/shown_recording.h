// SPDX-License-Identifier: MIT
// A recording as the timeline shows it: what was computed from it, and what its title row says. Nothing in it
// changes but the marks, so views and threads share it.
#pragma once

#include "engine/analysis/lesson_figures.h"
#include "engine/analysis/recording.h"
#include "engine/trace/ranks.h"
#include "gui/lanes/annotation.h"
#include "gui/lanes/awaited_ranks.h"
#include "gui/lanes/item_ref.h"
#include "gui/lanes/marks.h"
#include "gui/lanes/scope.h"
#include "gui/lanes/staged_copies.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanes::gui {

/// What the total of a prediction lies within, where that is too wide for a single figure
/// (replay::Prediction::is_wide): nothing says how much faster such a run is.
struct WideTotal {
    struct Range {
        Ns low = 0, high = 0;
    };
    Range all;
    Interval part {0, 0};  ///< of the run that it is predicted of, to which the changes are limited; empty: to none
    Range ofPart;
};

struct ShownRecording : Recording {
    std::shared_ptr<Marks> marks = std::make_shared<Marks>();  ///< never null; of the window's thread alone
    /// What is written and drawn over it; never null, of the window's thread alone.
    std::shared_ptr<std::vector<Annotation>> annotations = std::make_shared<std::vector<Annotation>>();
    std::string title;  ///< UTF-8, as the note: "blocking": the variant, or the file's name
    std::string note;  ///< said beside the title in muted text, may be empty
    std::vector<Rank> ranks = {};  ///< of processes, as the recording says them
    std::optional<ComparedValue> compared = {};  ///< that its lesson is about, in the window's language
    std::optional<WideTotal> wideTotal = {};
    std::shared_ptr<const AwaitedRanks> awaited = std::make_shared<AwaitedRanks>();  ///< never null; none without a job
    std::shared_ptr<const PinnedRates> rates = std::make_shared<PinnedRates>();  ///< never null; of its trace

    /// Bytes/ns, by stream (pinned_rates.h). Cost: linear in operations the first time, then none. Any thread may ask.
    const std::vector<double>& pinnedRates() const { return rates->of(*trace); }

    /// When the last kernel of the operation's collective began, of another rank's recording too; nothing: it waited
    /// for none, or that is not known yet. Cost: log n.
    std::optional<Ns> awaitedUntil(Row operation) const;

    /// Analyses the trace; its title is the variant of the workload, else `title`, else the command. Cost: of
    /// lanes::analysed.
    static std::shared_ptr<const ShownRecording> of(
        Trace trace, const std::string& title = {}, const Progress& progress = {});
};
using RecordingPtr = std::shared_ptr<const ShownRecording>;

/// What repeats in the recording of a program; nothing where nothing does.
std::optional<Interval> steadyPart(const Recording& recording);
/// The same where the window opens with it: it is less than half of the recording (Report::parts), and at least half of
/// the time of the GPUs, or of their kernels, lies in it.
std::optional<Interval> repeatedPart(const Recording& recording);
/// What a view opens with, repeatedPart() or else everything: what did nothing in it is no story there.
Interval openedPart(const Recording& recording);
/// Of a program in which nothing repeats, or little of its work, and whose GPU works in less than a quarter of its
/// time: from the call that issued the first operation to the last end of one. Cost: one pass over the ends of
/// operations.
std::optional<Interval> workingPart(const Recording& recording);

/// The report of all of the recording, or of what repeats in it, where it is there already; null: it is not, see
/// reportOf().
std::shared_ptr<const Report> knownReport(const Recording& recording, Scope::Of of);
/// What figures of everything are of: to the last end of a call or operation; all that was recorded, as long as it is
/// not analysed.
Interval wholePart(const Recording& recording);
/// The report of that part alone, as `lanes report --range` has it; null where the recording is not analysed yet. Cost:
/// that of make_report() where it is not known. Throws Cancelled.
std::shared_ptr<const Report> reportOf(
    const Recording& recording, const DrawnScope& scope, const Progress& progress = {});

}  // namespace lanes::gui
