// SPDX-License-Identifier: MIT
// The events of one recording as a table: API calls, operations, ranges, host
// spans and reads, filtered and sorted without a copy of their data.
//
// Cost: 8 bytes an event and 4 a shown row; a filter is linear with one string
// comparison a distinct name, a sort is n log n. Rows keep their order among equals.
#pragma once

#include "gui/panels/open_recording.h"
#include "gui/timeline/recording.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace lanes::gui {

/// What the table shows.
struct EventFilter {
    enum class Kind { all, calls, blocked, operations, kernels, copies, memsets, ranges, host };
    Kind kind = Kind::all;
    QString words;  ///< all of them must occur in the name or lane, in any case
    std::optional<Interval> range;  ///< only what touches it
};

class EventsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { start, duration, kind, name, lane, bytes, blocked, column_count };

    using QAbstractTableModel::QAbstractTableModel;

    void setRecording(OpenRecordingPtr recording);
    void setFilter(const EventFilter& filter);
    const OpenRecordingPtr& recording() const { return m_recording; }

    ItemRef eventAt(int row) const;
    /// -1 if it is not shown. Linear.
    int rowOf(ItemRef event) const;
    std::size_t total() const { return m_all.size(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void collect();
    void refill();
    void arrange();
    QString textOf(ItemRef event, int column) const;
    QString kindOf(ItemRef event) const;
    QString laneOf(ItemRef event) const;
    std::uint64_t bytesOf(ItemRef event) const;
    Ns blockedFor(ItemRef event) const;  ///< -1: not blocked
    bool passes(ItemRef event) const;

    OpenRecordingPtr m_recording;
    EventFilter m_filter;
    std::vector<ItemRef> m_all;  // by start
    std::vector<std::uint32_t> m_shown;  // into m_all
    std::vector<std::pair<Row, Ns>> m_blocked;  // by call
    int m_sortColumn = start;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

}  // namespace lanes::gui
