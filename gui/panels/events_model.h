// SPDX-License-Identifier: MIT
// The events of one recording as a table: API calls, operations, ranges, host
// spans and reads, filtered and sorted without a copy of their data.
//
// Few events are arranged at once, more of them on a worker thread: the table then keeps what it showed until
// refilled() says that it shows the new order. A newer filter or order gives up the one under way.
#pragma once

#include "gui/panels/event_rows.h"

#include <QAbstractTableModel>

namespace lanes::gui {

class EventsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { start, duration, kind, name, lane, bytes, blocked, column_count };
    /// As many are arranged within a frame.
    static constexpr std::size_t few = 20'000;

    using QAbstractTableModel::QAbstractTableModel;
    ~EventsModel() override;

    void setRecording(OpenRecordingPtr recording);
    void setFilter(const EventFilter& filter);
    const OpenRecordingPtr& recording() const { return m_recording; }
    bool busy() const { return m_cancel != nullptr; }

    EventRef eventAt(int row) const;
    /// -1 if it is not shown. Linear, 1 ms a few million.
    int rowOf(EventRef event) const;
    std::size_t total() const { return m_rows->total(); }
    /// How many pass the filter: as many as are shown, or more than a table can be tall.
    std::size_t passed() const { return m_rows->passed(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void refilled();

private:
    void refill();
    void stop();
    void take(std::shared_ptr<const EventRows> rows);
    QString textOf(EventRef event, int column) const;

    OpenRecordingPtr m_recording;
    EventFilter m_filter;
    EventOrder m_order;
    std::shared_ptr<const EventRows> m_rows = std::make_shared<const EventRows>();
    std::shared_ptr<std::atomic<bool>> m_cancel;  // of the arranging under way
};

}  // namespace lanes::gui
