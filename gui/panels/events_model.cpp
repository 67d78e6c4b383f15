// SPDX-License-Identifier: MIT
#include "gui/panels/events_model.h"

#include "engine/analysis/query/query_matcher.h"
#include "engine/trace/event.h"
#include "gui/panels/details.h"
#include "gui/session/format.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace lanes::gui {

namespace {

/// -1: not blocked.
Ns blockedTime(const OpenRecording& recording, EventRef event)
{
    const bool held = event.table == EventTable::calls && !recording.blocking->of(event.row).empty();
    return held ? recording.blocking->time_of(event.row) : -1;
}

QString wordsOf(const Trace& trace, EventRef event, int column)
{
    return column == EventsModel::kind ? kindText(kind_of(trace, event))
        : column == EventsModel::name  ? nameOf(trace, event)
                                       : laneText(trace, event);
}

/// The rank of an event's words among those of all events: each distinct text is made and compared once.
class Ranks {
public:
    Ranks(const Trace& trace, const EventList& events, int column)
        : m_trace(trace)
        , m_column(column)
    {
        std::vector<std::pair<QString, std::uint64_t>> texts;
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (m_ranks.try_emplace(key(events[i]), 0).second) {
                texts.emplace_back(wordsOf(trace, events[i], column), key(events[i]));
            }
        }
        std::sort(texts.begin(), texts.end());
        std::int64_t rank = 0;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            rank += i > 0 && texts[i].first != texts[i - 1].first;
            m_ranks[texts[i].second] = rank;
        }
    }
    std::int64_t of(EventRef event) const { return m_ranks.at(key(event)); }

private:
    /// The same for events of the same words.
    std::uint64_t key(EventRef event) const
    {
        const std::uint64_t kind
            = static_cast<std::uint64_t>(event.table) << 8U | static_cast<std::uint64_t>(kind_of(m_trace, event));
        return m_column == EventsModel::kind
            ? kind
            : kind << 32U | (m_column == EventsModel::name ? name_of(m_trace, event) : lane_of(m_trace, event));
    }
    const Trace& m_trace;
    int m_column;
    std::unordered_map<std::uint64_t, std::int64_t> m_ranks;
};

}  // namespace

/// Cost: of EventList and 4 bytes a shown event; sorted by anything but time 16 more while they are sorted.
std::shared_ptr<const EventsModel::Rows> EventsModel::rowsOf(
    const OpenRecordingPtr& recording, const EventFilter& filter, Order order, const std::stop_token& stop)
{
    auto rows = std::make_shared<Rows>();
    if (!recording) {
        return rows;
    }
    const Trace& trace = *recording->trace;
    for (const EventTable table : event_tables) {
        rows->total += size_of(trace, table);
    }
    const QueryMatcher matcher(filter.query, trace, recording->blocking.get());
    rows->events = EventList(
        trace,
        [&](EventRef event) {
            const auto touches = [&](Interval span) {
                return span.start < filter.range->end && std::max(span.end, span.start + 1) > filter.range->start;
            };
            return matcher.matches(event) && (!filter.range || touches(span_of(trace, event)));
        },
        stop);
    rows->passed = rows->events.size();
    rows->places.resize(rows->passed);
    std::iota(rows->places.begin(), rows->places.end(), 0U);
    if (order.column == start && order.descending) {
        std::reverse(rows->places.begin(), rows->places.end());
    } else if (order.column != start) {
        const bool words = order.column == kind || order.column == name || order.column == lane;
        const Ranks ranks(trace, words ? rows->events : EventList(), order.column);
        std::vector<std::pair<std::int64_t, std::uint32_t>> keyed;  // keys once an event, not once a comparison
        keyed.reserve(rows->passed);
        for (const std::uint32_t place : rows->places) {
            const EventRef event = rows->events[place];
            const Interval span = span_of(trace, event);
            keyed.emplace_back(order.column == duration ? span.end - span.start
                    : order.column == bytes             ? static_cast<std::int64_t>(bytes_of(trace, event))
                    : order.column == blocked           ? blockedTime(*recording, event)
                                                        : ranks.of(event),
                place);
        }
        std::stable_sort(keyed.begin(), keyed.end(),
            [&](const auto& a, const auto& b) { return order.descending ? b.first < a.first : a.first < b.first; });
        std::transform(keyed.begin(), keyed.end(), rows->places.begin(), [](const auto& each) { return each.second; });
    }
    rows->places.resize(std::min(rows->passed, most_shown));
    return rows;
}

void EventsModel::setRecording(OpenRecordingPtr recording)
{
    m_recording = std::move(recording);
    take(std::make_shared<const Rows>());  // rows of the old one say nothing of the new
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
        m_order = {column, order == Qt::DescendingOrder};
        refill();
    }
}

void EventsModel::refill()
{
    using Arranging = Question<std::shared_ptr<const Rows>>;
    m_problem.clear();
    const Trace* trace = m_recording ? m_recording->trace.get() : nullptr;
    const bool isShort
        = trace == nullptr || trace->calls.size() + trace->operations.size() + trace->ranges.size() <= few;
    m_arranging.ask([recording = m_recording, filter = m_filter, order = m_order](
                        const std::stop_token& stop) { return rowsOf(recording, filter, order, stop); },
        [this](std::shared_ptr<const Rows> rows) {
            take(std::move(rows));
            emit refilled();
        },
        [this](const QString& problem) {
            m_problem = problem;
            emit refilled();
        },
        isShort ? Arranging::Work::here : Arranging::Work::aside);
}

void EventsModel::take(std::shared_ptr<const Rows> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

EventRef EventsModel::eventAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_rows->at(static_cast<std::size_t>(row)) : EventRef {};
}

int EventsModel::rowOf(EventRef event) const
{
    const auto place = m_rows->events.find(event);
    const auto& places = m_rows->places;
    const auto row = place ? std::find(places.begin(), places.end(), static_cast<std::uint32_t>(*place)) : places.end();
    return row == places.end() ? -1 : static_cast<int>(row - places.begin());
}

int EventsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows->places.size());
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
        return kindText(kind_of(trace, event));
    case name:
        return nameOf(trace, event);
    case lane:
        return laneText(trace, event);
    case bytes: {
        const std::uint64_t count = bytes_of(trace, event);
        return count == 0 ? QString() : formatBytes(count);
    }
    case blocked: {
        const Ns held = blockedTime(*m_recording, event);
        return held < 0 ? QString() : formatTime(held);
    }
    default:
        return {};
    }
}

}  // namespace lanes::gui
