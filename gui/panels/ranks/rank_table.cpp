// SPDX-License-Identifier: MIT
#include "gui/panels/ranks/rank_table.h"

#include "gui/panels/sort_header.h"
#include "gui/panels/theme_of.h"

#include <QApplication>
#include <QFont>
#include <QHeaderView>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <utility>

namespace lanes::gui {

static QVariant alignment(RankFigure figure)
{
    return QVariant((figure == RankFigure::host ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

void RankModel::setJob(OpenJobPtr job)
{
    beginResetModel();
    m_job = std::move(job);
    m_columns = m_job ? rankColumns(*m_job) : std::vector<RankColumn>();
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
            emit dataChanged(index(row, 0), index(row, columnCount() - 1), {Qt::BackgroundRole});
        }
    }
}

int RankModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_job ? 0 : static_cast<int>(m_job->report.ranks.size());
}

int RankModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant RankModel::data(const QModelIndex& index, int role) const
{
    if (!m_job || !index.isValid()) {
        return {};
    }
    const JobRank& row = m_job->report.ranks[static_cast<std::size_t>(index.row())];
    const RankFigure figure = m_columns[static_cast<std::size_t>(index.column())].figure;
    switch (role) {
    case Qt::DisplayRole:
        return rankText(*m_job, row, figure);
    case Qt::TextAlignmentRole:
        return alignment(figure);
    case sort_role:
        return rankValue(*m_job, row, figure);
    case Qt::ForegroundRole:
        return saysLate(figure) && isLate(*m_job, row) ? QVariant(themeOf(QApplication::palette()).pillBlockingText)
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
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const RankColumn& column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::TextAlignmentRole:
        return alignment(column.figure);
    case Qt::DisplayRole:
        return column.title;
    case Qt::ToolTipRole:
        return column.tip;
    default:
        return {};
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
    for (int column = 0; column < m_model->columnCount(); ++column) {
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
