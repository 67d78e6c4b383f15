// SPDX-License-Identifier: MIT
#include "gui/panels/events_model.h"

#include "gui/panels/details.h"
#include "gui/panels/format.h"

#include <QFutureWatcher>
#include <QtConcurrentRun>

namespace lanes::gui {

EventsModel::~EventsModel()
{
    stop();
}

void EventsModel::setRecording(OpenRecordingPtr recording)
{
    m_recording = std::move(recording);
    take(std::make_shared<const EventRows>());  // rows of the old one say nothing of the new
    refill();
}

void EventsModel::setFilter(const EventFilter& filter)
{
    m_filter = filter;
    refill();
}

void EventsModel::sort(int column, Qt::SortOrder order)
{
    if (column >= 0 && column < column_count) {
        m_order = {static_cast<EventColumn>(column), order == Qt::DescendingOrder};
        refill();
    }
}

void EventsModel::stop()
{
    if (m_cancel) {
        *m_cancel = true;
        m_cancel.reset();
    }
}

void EventsModel::refill()
{
    stop();
    const Trace* trace = m_recording ? m_recording->trace.get() : nullptr;
    if (trace == nullptr || trace->calls.size() + trace->operations.size() + trace->ranges.size() <= few) {
        take(std::make_shared<const EventRows>(m_recording, m_filter, m_order, false));
        emit refilled();
        return;
    }
    m_cancel = std::make_shared<std::atomic<bool>>(false);
    auto* watcher = new QFutureWatcher<std::shared_ptr<const EventRows>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, mine = m_cancel] {
        watcher->deleteLater();
        if (mine == m_cancel) {
            m_cancel.reset();
            take(watcher->result());
            emit refilled();
        }
    });
    watcher->setFuture(
        QtConcurrent::run([recording = m_recording, filter = m_filter, order = m_order, cancel = m_cancel] {
            return std::make_shared<const EventRows>(recording, filter, order, *cancel);
        }));
}

void EventsModel::take(std::shared_ptr<const EventRows> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

EventRef EventsModel::eventAt(int row) const
{
    return row >= 0 && static_cast<std::size_t>(row) < m_rows->size() ? m_rows->at(static_cast<std::size_t>(row))
                                                                      : EventRef {};
}

int EventsModel::rowOf(EventRef event) const
{
    const auto row = m_rows->rowOf(event);
    return row ? static_cast<int>(*row) : -1;
}

int EventsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows->size());
}

int EventsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : column_count;
}

QVariant EventsModel::data(const QModelIndex& index, int role) const
{
    const EventRef event = eventAt(index.row());
    if (!event) {
        return {};
    }
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole) {
        return textOf(event, index.column());
    }
    if (role == Qt::TextAlignmentRole) {
        const bool figure = index.column() == start || index.column() == duration || index.column() == bytes
            || index.column() == blocked;
        return QVariant::fromValue(Qt::Alignment(figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return {};
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        const bool figure = section == start || section == duration || section == bytes || section == blocked;
        return QVariant::fromValue(Qt::Alignment(figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case start:
        return tr("Start");
    case duration:
        return tr("Duration");
    case kind:
        return tr("Kind");
    case name:
        return tr("Name");
    case lane:
        return tr("Thread or stream");
    case bytes:
        return tr("Bytes");
    case blocked:
        return tr("Blocked");
    default:
        return {};
    }
}

QString EventsModel::textOf(EventRef event, int column) const
{
    const Trace& trace = *m_recording->trace;
    const Interval span = span_of(trace, event);
    switch (column) {
    case start:
        return QStringLiteral("%L1 ms").arg(static_cast<double>(span.start) / 1e6, 0, 'f', 4);
    case duration:
        return formatTime(span.end - span.start);
    case kind:
        return kindTextOf(*m_recording, event);
    case name:
        return nameOf(trace, event);
    case lane:
        return laneTextOf(*m_recording, event);
    case bytes: {
        const std::uint64_t count = bytes_of(trace, event);
        return count == 0 ? QString() : formatBytes(count);
    }
    case blocked: {
        const bool held = event.table == EventTable::calls && !m_recording->blocking->of(event.row).empty();
        return held ? formatTime(m_recording->blocking->time_of(event.row)) : QString();
    }
    default:
        return {};
    }
}

}  // namespace lanes::gui
