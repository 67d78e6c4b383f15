// SPDX-License-Identifier: MIT
#include "gui/panels/summary/summary_model.h"

#include <algorithm>

namespace lanes::gui {

static bool isText(SummaryFigure figure)
{
    return figure == SummaryFigure::name || figure == SummaryFigure::family;
}

void SummaryModel::show(const SummaryOf& of)
{
    if (of == m_wish) {
        return;
    }
    if (of.recordings != m_wish.recordings) {
        take({});  // rows of the old ones say nothing of the new
    }
    m_wish = of;
    refill();
}

void SummaryModel::setText(const QString& text)
{
    if (text != m_text) {
        m_text = text;
        refill();
    }
}

void SummaryModel::sort(int column, Qt::SortOrder order)
{
    if (column >= 0 && column < columnCount()) {
        sortBy(columnAt(column), order == Qt::DescendingOrder);
    }
}

void SummaryModel::sortBy(SummaryColumn column, bool descending)
{
    m_sorted = column;
    m_descending = descending;
    refill();
}

int SummaryModel::sortedColumn() const
{
    const auto& columns = m_shown.columns;
    const auto found = std::find_if(columns.begin(), columns.end(),
        [&](const SummaryColumn& column) { return column.figure == m_sorted.figure && column.part == m_sorted.part; });
    return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

SummaryModel::Shown SummaryModel::make(
    Shown from, const QString& text, SummaryColumn column, bool descending, bool sum, const std::stop_token& stop)
{
    if (sum) {
        from.columns = columnsOf(from.of);
        from.rows = std::make_shared<const NamedRows>(rowsOf(from.of, stop));
    }
    from.order = arranged(*from.rows, text, column, descending, stop);
    return from;
}

void SummaryModel::refill()
{
    m_problem.clear();
    const bool sum = !(m_wish == m_shown.of);
    std::size_t work = m_shown.rows->size();
    for (const OpenRecordingPtr& recording : m_wish.recordings) {
        const Trace& trace = *recording->trace;
        work += sum ? trace.calls.size() + trace.operations.size() + trace.ranges.size() + trace.samples.size() : 0;
    }
    Shown from = m_shown;
    from.of = m_wish;
    m_making.ask([from = std::move(from), text = m_text, column = m_sorted, descending = m_descending, sum](
                     const std::stop_token& stop) { return make(from, text, column, descending, sum, stop); },
        [this](Shown shown) {
            take(std::move(shown));
            emit refilled();
        },
        [this](const QString& problem) {
            m_problem = problem;
            emit refilled();
        },
        work <= few ? Question<Shown>::Work::here : Question<Shown>::Work::aside);
}

void SummaryModel::take(Shown shown)
{
    beginResetModel();
    m_shown = std::move(shown);
    endResetModel();
}

const NamedRow* SummaryModel::rowAt(int row) const
{
    return row >= 0 && row < rowCount() ? &(*m_shown.rows)[m_shown.order[static_cast<std::size_t>(row)]] : nullptr;
}

int SummaryModel::rowOf(const std::string& name) const
{
    const auto found = std::find_if(m_shown.order.begin(), m_shown.order.end(),
        [&](std::uint32_t number) { return (*m_shown.rows)[number].name == name; });
    return found == m_shown.order.end() ? -1 : static_cast<int>(found - m_shown.order.begin());
}

int SummaryModel::columnOf(SummaryFigure figure) const
{
    const auto& columns = m_shown.columns;
    const auto found = std::find_if(
        columns.begin(), columns.end(), [&](const SummaryColumn& column) { return column.figure == figure; });
    return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

int SummaryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.order.size());
}

int SummaryModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.columns.size());
}

QVariant SummaryModel::data(const QModelIndex& index, int role) const
{
    const NamedRow* row = rowAt(index.row());
    if (row == nullptr) {
        return {};
    }
    const SummaryColumn column = columnAt(index.column());
    switch (role) {
    case Qt::DecorationRole:
        return column.figure == SummaryFigure::name && m_swatch ? m_swatch(*row) : QVariant();
    case Qt::DisplayRole:
        return cellOf(*row, column);
    case Qt::ToolTipRole:
        return column.figure == SummaryFigure::name ? row->shown : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment(isText(column.figure) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant SummaryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const SummaryColumn column = columnAt(section);
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(
            Qt::Alignment(isText(column.figure) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole) {
        switch (column.figure) {
        case SummaryFigure::total:
            return m_shown.of.findings ? tr("The time that would be saved without it")
                                       : tr("The sum of the durations: two at the same time count twice");
        case SummaryFigure::own:
            return tr("Without what ranges inside of them took");
        case SummaryFigure::share:
            return m_shown.of.findings                                      ? tr("Of the wall time")
                : !m_shown.of.counters && m_shown.of.by == SummaryBy::range ? tr("Of the self times of this table")
                                                                            : tr("Of the total of this table");
        case SummaryFigure::blocked:
            return tr("How long these calls held their threads");
        case SummaryFigure::exposed:
            return tr("Of copies and communication: while no kernel computed on their GPU");
        case SummaryFigure::average:
            return tr("Each value is weighted by how long it held");
        default:
            return {};
        }
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const QString names[] = {m_shown.of.findings ? tr("Finding") : tr("Name"), tr("Family"),
        m_shown.of.findings ? tr("Cost") : tr("Total"), tr("Self"), tr("Share"),
        m_shown.of.counters ? tr("Samples") : tr("Count"), tr("Mean"), tr("Median"), tr("Shortest"), tr("Longest"),
        tr("Bytes"), tr("Blocked"), tr("Exposed"), tr("Min"), tr("Average"), tr("Max"), tr("Last")};
    const QString& name = names[static_cast<std::size_t>(column.figure)];
    const bool pair = m_shown.of.recordings.size() > 1 && !isText(column.figure);
    return !pair           ? name
        : column.part == 2 ? tr("%1 B − A").arg(name)
                           : name + QLatin1Char(' ') + QLatin1Char(column.part == 0 ? 'A' : 'B');
}

QString SummaryModel::asText() const
{
    QString lines;
    QStringList cells;
    for (int column = 0; column < columnCount(); ++column) {
        cells += headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    }
    lines = cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (int row = 0; row < rowCount(); ++row) {
        cells.clear();
        for (int column = 0; column < columnCount(); ++column) {
            cells += cellOf(*rowAt(row), columnAt(column)).simplified();
        }
        lines += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return lines;
}

}  // namespace lanes::gui
