// SPDX-License-Identifier: MIT
// A job of many ranks that is open in the window: its summaries, what was found of them, and what its heat maps and
// combs show. Computed once, on the worker thread that opened it; it does not change afterwards.
#pragma once

#include "engine/job/job_heat.h"
#include "engine/job/job_report.h"
#include "engine/trace/progress.h"
#include "gui/lanes/awaited_ranks.h"
#include "gui/paint/heat_map.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace lanes::gui {

struct OpenJob {
    Q_DECLARE_TR_FUNCTIONS(OpenJob)
public:
    QString path;  ///< of job.lanes, absolute
    std::vector<RankSummary> ranks;  ///< by rank
    JobMeetings meetings;
    JobReport report;
    std::vector<Ns> waits;  ///< waits_of()
    HeatParts parts;
    JobHeats heats;  ///< of `parts`, over all the time
    std::vector<std::size_t> rows;  ///< from the top, by host: into `ranks`
    std::vector<int> row_of;  ///< by rank: into `rows`

    /// What a map opens with; nothing: all the time.
    std::optional<Interval> openedPart() const;
    const JobHeat& heat(HeatMeasure measure) const { return heats[static_cast<std::size_t>(measure)]; }
    /// As it looks between these moments.
    JobHeat heat(HeatMeasure measure, Interval time) const;
    /// Draws from `heat`, which must live as long.
    HeatMap map(const JobHeat& heat) const;
    QString title() const;  ///< the file's name
    QString subtitle() const;  ///< "64 ranks on 8 hosts · NVIDIA H200"
    QString sentence() const;
    QStringList notes() const;
    QString nameOf(std::size_t rank) const;  ///< "rank 37"
    QString hostOf(std::size_t rank) const;
    /// "rank 37 · node05 · step 184: waited 52.3 ms": what is known of a cell of `heat`.
    QString tipOf(HeatMeasure measure, const JobHeat& heat, std::size_t rank, Ns moment) const;

    /// The one of those that meet this rank, or of all, that waited no more and no less than most; itself: there is no
    /// other.
    std::size_t medianBeside(std::size_t rank) const;
    /// The step of a rank at a moment of the first clock, in the time of its recording; where there is none a part of
    /// the recording, the nearest one.
    Interval partAt(std::size_t rank, Ns moment) const;
    /// A moment of the first clock on the rank's own clock.
    Ns ownTime(std::size_t rank, Ns moment) const;
    /// At most so far apart are the true times of two ranks that ownTime() gives for one moment: 0 if they share a
    /// clock, std::nullopt if no collective and no ssh round joins their clocks.
    std::optional<Ns> clocksApart(std::size_t a, std::size_t b, Ns moment) const;
    /// The moment with which the window begins: where the first rank made the others wait longest, else the middle of
    /// what is judged.
    Ns firstMoment() const;
    /// The collective of the rank whose last member came next to the moment; nothing: it has none.
    std::optional<std::size_t> collectiveAt(std::size_t rank, Ns moment) const;
    ArrivalComb comb(std::size_t collective) const;
    /// For whom the rank's collectives waited, by the operations of its recording; the first ones of their groups, too,
    /// which count for nothing but are seen to wait. Cost: linear in these and in the job's collectives.
    AwaitedRanks awaitedIn(std::size_t rank, const Trace& recording) const;
    /// What is said of a rank over its lanes: that it is late and why; else at the moment's collective for whom it
    /// waits, or how long the others wait for it. Of the one that is beside `chosen` as the median, that it is that.
    struct Said {
        QString text;
        bool isLate = false;
    };
    Said saidOf(std::size_t rank, std::size_t chosen, Ns moment) const;
};
using OpenJobPtr = std::shared_ptr<const OpenJob>;

/// "Waited for others", "Exposed communication", "GPU idle", "Step time".
QString measureText(HeatMeasure measure);

/// Throws what load_ranks() and settle_ranks() throw, and Cancelled. Cost: that of meet() and report_of().
OpenJobPtr openJob(const QString& path, const Progress& progress = {});

/// "± 21 µs", "0" of a clock that cannot be wrong.
QString uncertaintyText(Ns time);

}  // namespace lanes::gui
