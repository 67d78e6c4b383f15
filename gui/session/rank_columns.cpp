// SPDX-License-Identifier: MIT
#include "gui/session/rank_columns.h"

#include "gui/paint/words/time_format.h"

#include <QCoreApplication>

#include <algorithm>

namespace lanes::gui {

namespace {

struct RankColumnsTexts {
    Q_DECLARE_TR_FUNCTIONS(RankColumns)
};

}  // namespace

std::vector<RankColumn> rankColumns(const OpenJob& job)
{
    const bool hasSteps = job.report.steps > 0;
    const bool hasHosts = std::any_of(
        job.ranks.begin(), job.ranks.end(), [](const RankSummary& rank) { return !rank.identity.host.empty(); });
    std::vector<RankColumn> columns;
    const auto add = [&](RankFigure figure, const QString& title, const QString& tip) {
        columns.push_back({figure, title, tip});
    };
    const auto addTime = [&](RankFigure figure, const QString& title, const QString& tip) {
        add(figure, title, hasSteps ? RankColumnsTexts::tr("%1, each step").arg(tip) : tip);
    };
    add(RankFigure::rank, RankColumnsTexts::tr("Rank"), RankColumnsTexts::tr("Its number in the job"));
    if (hasHosts) {
        add(RankFigure::host, RankColumnsTexts::tr("Host"), RankColumnsTexts::tr("Where it ran"));
    }
    if (hasSteps) {
        add(RankFigure::step, RankColumnsTexts::tr("Step"), RankColumnsTexts::tr("How long a step took, the mean"));
        add(RankFigure::p95, QStringLiteral("p95"), RankColumnsTexts::tr("19 of 20 steps took no longer"));
    }
    addTime(
        RankFigure::compute, RankColumnsTexts::tr("Compute"), RankColumnsTexts::tr("Kernels that do not communicate"));
    addTime(RankFigure::exposed, RankColumnsTexts::tr("Exposed"),
        RankColumnsTexts::tr("Communication beside no other kernel"));
    if (hasSteps) {
        addTime(RankFigure::idle, RankColumnsTexts::tr("Idle"), RankColumnsTexts::tr("The GPU did nothing"));
    } else {  // less than the verdict over its lanes says, which counts the time before and after, too
        addTime(RankFigure::idle, RankColumnsTexts::tr("Idle between"),
            RankColumnsTexts::tr("The GPU did nothing, from its first operation to its last one"));
    }
    addTime(RankFigure::waited, RankColumnsTexts::tr("Waited"), RankColumnsTexts::tr("For other ranks in collectives"));
    addTime(RankFigure::caused, RankColumnsTexts::tr("Costs others"),
        RankColumnsTexts::tr("By how much the others would be done earlier without it"));
    add(RankFigure::last, RankColumnsTexts::tr("Last in"),
        RankColumnsTexts::tr("It came last to so many of its collectives"));
    add(RankFigure::clock, RankColumnsTexts::tr("Clock"),
        RankColumnsTexts::tr("By how much its clock may be wrong against the first one"));
    return columns;
}

QVariant rankValue(const OpenJob& job, const JobRank& row, RankFigure figure)
{
    const RankRow of = row.row();
    const auto time = [](std::optional<Ns> value) { return value ? QVariant(qlonglong {*value}) : QVariant(); };
    switch (figure) {
    case RankFigure::rank:
        return qlonglong {job.ranks[row.index].identity.rank};
    case RankFigure::host:
        return job.hostOf(row.index);
    case RankFigure::step:
        return time(of.step);
    case RankFigure::p95:
        return time(of.p95);
    case RankFigure::compute:
        return time(of.compute);
    case RankFigure::exposed:
        return time(of.exposed);
    case RankFigure::idle:
        return time(of.idle);
    case RankFigure::waited:
        return time(of.waited);
    case RankFigure::caused:
        return time(of.caused);
    case RankFigure::last:
        return of.last ? QVariant(qlonglong(*of.last)) : QVariant();
    case RankFigure::clock:
        break;
    }
    return time(of.clock);
}

QString rankText(const OpenJob& job, const JobRank& row, RankFigure figure)
{
    const QVariant found = rankValue(job, row, figure);
    if (!found.isValid()) {
        return QStringLiteral("–");
    }
    switch (figure) {
    case RankFigure::rank:
    case RankFigure::host:
        return found.toString();
    case RankFigure::last:
        return QStringLiteral("%L1 / %L2").arg(row.last).arg(row.of);
    case RankFigure::clock:
        return uncertaintyText(found.toLongLong());
    default:
        return formatTime(found.toLongLong());
    }
}

bool isLate(const OpenJob& job, const JobRank& row)
{
    const auto& all = job.report.late.stand_out;
    return std::any_of(all.begin(), all.end(), [&](const LateRank& late) { return late.has(row.index); });
}

}  // namespace lanes::gui
