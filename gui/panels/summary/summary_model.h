// SPDX-License-Identifier: MIT
// The summary as a table: see summary_rows.h.
//
// A small recording is summed up at once, a large one on a worker thread: the table then keeps what it showed until
// refilled() says that it shows the new figures, or why it cannot. A newer wish gives up the one under way. Another
// order or filter of the same figures does not sum up again.
#pragma once

#include "gui/panels/summary/summary_rows.h"
#include "gui/timeline/question.h"

#include <QAbstractTableModel>

namespace lanes::gui {

class SummaryModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// As many events and rows are summed up and arranged within a frame.
    static constexpr std::size_t few = 20'000;

    using QAbstractTableModel::QAbstractTableModel;

    /// Sums up and arranges only while that widget is seen.
    void makeWhileSeen(QWidget* widget) { m_making.whileSeen(widget); }
    void show(const SummaryOf& of);
    /// What is beside the name of a row: the colour of its bars. None without it.
    void setSwatch(std::function<QVariant(const NamedRow&)> swatch) { m_swatch = std::move(swatch); }
    /// Only rows whose name has these words.
    void setText(const QString& text);
    bool busy() const { return m_making.isPending(); }
    /// Why what was asked last is not shown; empty: it is, or it is being made.
    const QString& problem() const { return m_problem; }
    /// What the figures that are shown are of.
    const SummaryOf& of() const { return m_shown.of; }

    /// Null: no such row.
    const NamedRow* rowAt(int row) const;
    /// -1: not shown. Linear.
    int rowOf(const std::string& name) const;
    SummaryColumn columnAt(int column) const { return m_shown.columns[static_cast<std::size_t>(column)]; }
    /// The first column of a figure; -1: there is none.
    int columnOf(SummaryFigure figure) const;
    /// By what the rows are ordered now; the largest total first until somebody asks for something else.
    int sortedColumn() const;
    bool isDescending() const { return m_descending; }
    void sortBy(SummaryColumn column, bool descending);
    /// How many names there are; rowCount() says how many of them are shown.
    std::size_t names() const { return m_shown.rows->size(); }
    /// With its header, cells parted by tabs: to be pasted into a table.
    QString asText() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void refilled();

private:
    struct Shown {
        SummaryOf of;
        std::vector<SummaryColumn> columns {{}};
        std::shared_ptr<const NamedRows> rows = std::make_shared<const NamedRows>();
        std::vector<std::uint32_t> order;
    };
    static Shown make(
        Shown from, const QString& text, SummaryColumn column, bool descending, bool sum, const std::stop_token& stop);
    void refill();
    void take(Shown shown);

    std::function<QVariant(const NamedRow&)> m_swatch;
    SummaryOf m_wish;
    QString m_text;
    SummaryColumn m_sorted {SummaryFigure::total, 0};
    bool m_descending = true;
    Shown m_shown;
    QString m_problem;
    Question<Shown> m_making;
};

}  // namespace lanes::gui
