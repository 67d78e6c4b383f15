// SPDX-License-Identifier: MIT
// The ranks of a job as a table, the one that costs the others most first: a row a rank, times a step. Figures are
// those of `lanes ranks`.
#pragma once

#include "gui/session/rank_columns.h"

#include <QAbstractTableModel>
#include <QTableView>

class QSortFilterProxyModel;

namespace lanes::gui {

class RankModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int sort_role = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;
    void setJob(OpenJobPtr job);
    /// The rank that is shown beside the current one.
    void setSecond(std::optional<std::size_t> rank);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    OpenJobPtr m_job;
    std::vector<RankColumn> m_columns;
    std::optional<std::size_t> m_second;
};

class RankTable : public QTableView {
    Q_OBJECT
public:
    explicit RankTable(QWidget* parent = nullptr);
    void setJob(const OpenJobPtr& job);
    void follow(std::size_t rank, std::size_t second);

signals:
    void chosen(std::size_t rank);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    /// What is chosen stays in sight.
    void resizeEvent(QResizeEvent* event) override;

private:
    RankModel* m_model;
    QSortFilterProxyModel* m_sorted;
    OpenJobPtr m_job;
    bool m_following = false;
};

}  // namespace lanes::gui
