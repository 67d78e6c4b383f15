// SPDX-License-Identifier: MIT
#include "gui/panels/ranks/rank_table.h"

#include "gui/paint/words/time_format.h"
#include "gui/panels/sort_header.h"
#include "gui/panels/theme_of.h"

#include <QApplication>
#include <QFont>
#include <QHeaderView>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <utility>

namespace lanes::gui {

void RankModel::setJob(OpenJobPtr job)
{
    beginResetModel();
    m_job = std::move(job);
    m_second.reset();
    endResetModel();
}

void RankModel::setSecond(std::optional<std::size_t> rank)
{
    if (rank == m_second) {
        return;
    }
    const auto before = std::exchange(m_second, rank);
    const auto& rows = m_job->report.ranks;
    for (int row = 0; row < rowCount(); ++row) {
        const auto of = rows[static_cast<std::size_t>(row)].index;
        if (of == before || of == rank) {
            emit dataChanged(index(row, 0), index(row, column_count - 1), {Qt::BackgroundRole});
        }
    }
}

int RankModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_job ? 0 : static_cast<int>(m_job->report.ranks.size());
}

int RankModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : column_count;
}

/// A number, or a text, to sort by; invalid: nothing is known.
QVariant RankModel::value(const JobRank& row, int column) const
{
    const RankRow of = row.row();
    const auto time = [](std::optional<Ns> value) { return value ? QVariant(qlonglong {*value}) : QVariant(); };
    switch (column) {
    case rank:
        return qlonglong {m_job->ranks[row.index].identity.rank};
    case host:
        return m_job->hostOf(row.index);
    case step:
        return time(of.step);
    case p95:
        return time(of.p95);
    case compute:
        return time(of.compute);
    case exposed:
        return time(of.exposed);
    case idle:
        return time(of.idle);
    case waited:
        return time(of.waited);
    case caused:
        return time(of.caused);
    case last:
        return of.last ? QVariant(qulonglong {*of.last}) : QVariant();
    default:
        return time(of.clock);
    }
}

QString RankModel::shown(const JobRank& row, int column) const
{
    const QVariant found = value(row, column);
    if (!found.isValid()) {
        return QStringLiteral("–");
    }
    if (column == rank || column == host) {
        return found.toString();
    }
    if (column == last) {
        return QStringLiteral("%L1 / %L2").arg(row.last).arg(row.of);
    }
    return column == clock ? uncertaintyText(found.toLongLong()) : formatTime(found.toLongLong());
}

QVariant RankModel::data(const QModelIndex& index, int role) const
{
    if (!m_job || !index.isValid()) {
        return {};
    }
    const JobRank& row = m_job->report.ranks[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const bool standsOut = std::any_of(m_job->report.late.stand_out.begin(), m_job->report.late.stand_out.end(),
        [&](const LateRank& late) { return late.device == row.index; });
    switch (role) {
    case Qt::DisplayRole:
        return shown(row, column);
    case Qt::TextAlignmentRole:
        return QVariant((column == host ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case sort_role:
        return value(row, column);
    case Qt::ForegroundRole:
        return standsOut && (column == caused || column == last)
            ? QVariant(themeOf(QApplication::palette()).pillBlockingText)
            : QVariant();
    case Qt::BackgroundRole:
        return m_second == row.index ? QVariant(themeOf(QApplication::palette()).chip) : QVariant();
    case Qt::ToolTipRole:
        return QString::fromStdString(m_job->ranks[row.index].file);
    default:
        return {};
    }
}

QVariant RankModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant((section == host ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    const auto text = [&](const QString& title, const QString& tip) { return role == Qt::ToolTipRole ? tip : title; };
    const auto timed = [&](const QString& title, const QString& tip) {
        return text(title, m_job && m_job->report.steps > 0 ? tr("%1, each step").arg(tip) : tip);
    };
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) {
        return {};
    }
    switch (section) {
    case rank:
        return text(tr("Rank"), tr("Its number in the job"));
    case host:
        return text(tr("Host"), tr("Where it ran"));
    case step:
        return text(tr("Step"), tr("How long a step took, the mean"));
    case p95:
        return text(QStringLiteral("p95"), tr("19 of 20 steps took no longer"));
    case compute:
        return timed(tr("Compute"), tr("Kernels that do not communicate"));
    case exposed:
        return timed(tr("Exposed"), tr("Communication beside no other kernel"));
    case idle:
        return timed(tr("Idle"), tr("The GPU did nothing"));
    case waited:
        return timed(tr("Waited"), tr("For other ranks in collectives"));
    case caused:
        return timed(tr("Costs others"), tr("By how much the others would be done earlier without it"));
    case last:
        return text(tr("Last in"), tr("It came last to so many of its collectives"));
    default:
        return text(tr("Clock"), tr("By how much its clock may be wrong against the first one"));
    }
}

RankTable::RankTable(QWidget* parent)
    : QTableView(parent)
    , m_model(new RankModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
{
    setObjectName(QStringLiteral("rankTable"));
    setAccessibleName(tr("Ranks, worst first"));
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(RankModel::sort_role);
    setModel(m_sorted);
    SortHeader::give(this);
    setSortingEnabled(true);
    horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(24);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setWordWrap(false);
}

void RankTable::setJob(const OpenJobPtr& job)
{
    m_following = true;
    m_job = job;
    m_sorted->sort(-1);
    m_model->setJob(job);
    horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    for (int column = 0; column < RankModel::column_count; ++column) {
        setColumnHidden(column, false);
    }
    const bool hasSteps = job && job->report.steps > 0;
    setColumnHidden(RankModel::step, !hasSteps);
    setColumnHidden(RankModel::p95, !hasSteps);
    const bool hasHosts = job && std::any_of(job->ranks.begin(), job->ranks.end(), [](const RankSummary& rank) {
        return !rank.identity.host.empty();
    });
    setColumnHidden(RankModel::host, !hasHosts);
    for (int column = 0; column < RankModel::column_count; ++column) {
        const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        constexpr int beside_title = 2 * 6 + 10;  // padding, arrow
        setColumnWidth(column,
            std::max(
                sizeHintForColumn(column), horizontalHeader()->fontMetrics().horizontalAdvance(title) + beside_title));
    }
    m_following = false;
}

void RankTable::follow(std::size_t rank, std::size_t second)
{
    if (!m_job) {
        return;
    }
    m_model->setSecond(second);
    const auto& rows = m_job->report.ranks;
    const auto at = std::find_if(rows.begin(), rows.end(), [&](const JobRank& row) { return row.index == rank; });
    const QModelIndex index = m_sorted->mapFromSource(
        m_model->index(static_cast<int>(at - rows.begin()), std::max(0, currentIndex().column())));
    m_following = true;
    setCurrentIndex(index);
    scrollTo(index);
    m_following = false;
}

void RankTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    if (currentIndex().isValid()) {
        scrollTo(currentIndex());
    }
}

void RankTable::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    if (!m_following && current.isValid() && m_job && current.row() != previous.row()) {
        const auto row = static_cast<std::size_t>(m_sorted->mapToSource(current).row());
        emit chosen(m_job->report.ranks[row].index);
    }
}

}  // namespace lanes::gui
