// SPDX-License-Identifier: MIT
// The table of a job's ranks, for the window, its page and its picture: a row a rank, times a step. Figures are those
// of `lanes ranks`.
#pragma once

#include "gui/session/open_job.h"

#include <QString>
#include <QVariant>

#include <vector>

namespace lanes::gui {

enum class RankFigure { rank, host, step, p95, compute, exposed, idle, waited, caused, last, clock };

struct RankColumn {
    RankFigure figure;
    QString title;
    QString tip;  ///< what the figure is
};

/// From the left, in the window's language; none of steps or hosts where the job has none.
std::vector<RankColumn> rankColumns(const OpenJob& job);

/// A number, or the text of a host, to sort by; invalid: it is not known.
QVariant rankValue(const OpenJob& job, const JobRank& row, RankFigure figure);
/// "48.8 ms", "19 / 20", "–".
QString rankText(const OpenJob& job, const JobRank& row, RankFigure figure);
/// Whether the column says so where isLate().
inline bool saysLate(RankFigure figure)
{
    return figure == RankFigure::caused || figure == RankFigure::last;
}
/// Whether the job names this rank as late.
bool isLate(const OpenJob& job, const JobRank& row);

}  // namespace lanes::gui
