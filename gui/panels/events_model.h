// SPDX-License-Identifier: MIT
// The events of one recording as a table: API calls, operations, ranges, host
// spans and reads, filtered and sorted without a copy of their data.
//
// Few events are arranged at once, more of them on a worker thread: the table then keeps what it showed until
// refilled() says that it shows the new order, or why it cannot. A newer filter or order gives up the one under way.
#pragma once

#include "engine/analysis/query/event_list.h"
#include "engine/analysis/query/query.h"
#include "gui/session/open_recording.h"
#include "gui/timeline/question.h"

#include <QAbstractTableModel>

#include <optional>
#include <stop_token>

namespace lanes::gui {

/// What the table shows.
struct EventFilter {
    Query query;
    std::optional<Interval> range;  ///< only what touches it
};

class EventsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { start, duration, kind, name, lane, bytes, blocked, column_count };
    /// At most as many rows as a table can show; the count says how many are left out.
    static constexpr std::size_t most_shown = 10'000'000;
    /// As many are arranged within a frame.
    static constexpr std::size_t few = 20'000;

    using QAbstractTableModel::QAbstractTableModel;

    /// Arranges only while that widget is seen.
    void arrangeWhileSeen(QWidget* widget) { m_arranging.whileSeen(widget); }
    void setRecording(OpenRecordingPtr recording);
    void setFilter(const EventFilter& filter);
    const OpenRecordingPtr& recording() const { return m_recording; }
    bool busy() const { return m_arranging.isPending(); }
    /// Why what was asked last is not shown; empty: it is, or it is being arranged.
    const QString& problem() const { return m_problem; }

    EventRef eventAt(int row) const;
    /// -1 if it is not shown. Linear, 1 ms a few million.
    int rowOf(EventRef event) const;
    std::size_t total() const { return m_rows->total; }
    /// How many pass the filter: as many as are shown, or more than a table can be tall.
    std::size_t passed() const { return m_rows->passed; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void refilled();

private:
    struct Order {
        int column = start;
        bool descending = false;
    };
    /// What is shown: events by time, the places of those that are shown, and how many there were to show.
    struct Rows {
        EventList events;
        std::vector<std::uint32_t> places;
        std::size_t passed = 0, total = 0;

        EventRef at(std::size_t row) const { return events[places[row]]; }
    };
    static std::shared_ptr<const Rows> rowsOf(
        const OpenRecordingPtr& recording, const EventFilter& filter, Order order, const std::stop_token& stop);
    void refill();
    void take(std::shared_ptr<const Rows> rows);
    QString textOf(EventRef event, int column) const;

    OpenRecordingPtr m_recording;
    EventFilter m_filter;
    Order m_order;
    std::shared_ptr<const Rows> m_rows = std::make_shared<const Rows>();
    QString m_problem;
    Question<std::shared_ptr<const Rows>> m_arranging;
};

}  // namespace lanes::gui
