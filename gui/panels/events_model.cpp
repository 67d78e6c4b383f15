// SPDX-License-Identifier: MIT
#include "gui/panels/events_model.h"

#include "gui/panels/details.h"
#include "gui/panels/format.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace lanes::gui {

void EventsModel::setRecording(OpenRecordingPtr recording)
{
    beginResetModel();
    m_recording = std::move(recording);
    collect();
    refill();
    endResetModel();
}

void EventsModel::setFilter(const EventFilter& filter)
{
    beginResetModel();
    m_filter = filter;
    refill();
    endResetModel();
}

void EventsModel::collect()
{
    m_all.clear();
    m_blocked.clear();
    if (!m_recording) {
        return;
    }
    const Trace& trace = *m_recording->trace;
    const auto add = [&](ItemKind of, std::size_t count) {
        for (std::size_t row = 0; row < count; ++row) {
            m_all.push_back({of, static_cast<Row>(row)});
        }
    };
    m_all.reserve(trace.calls.size() + trace.operations.size() + trace.ranges.size() + trace.host_spans.size()
        + trace.reads.size());
    add(ItemKind::call, trace.calls.size());
    add(ItemKind::operation, trace.operations.size());
    add(ItemKind::range, trace.ranges.size());
    add(ItemKind::hostSpan, trace.host_spans.size());
    add(ItemKind::read, trace.reads.size());
    std::stable_sort(m_all.begin(), m_all.end(),
        [&](ItemRef a, ItemRef b) { return spanOf(*m_recording, a).start < spanOf(*m_recording, b).start; });
    for (const BlockedCall& held : m_recording->blocking->calls) {
        m_blocked.emplace_back(held.call, held.end - held.start);
    }
    std::sort(m_blocked.begin(), m_blocked.end());
}

bool EventsModel::passes(ItemRef event) const
{
    const Trace& trace = *m_recording->trace;
    const bool operation = event.kind == ItemKind::operation;
    const OperationKind of = operation ? trace.operations.kind[event.row] : OperationKind::kernel;
    switch (m_filter.kind) {
    case EventFilter::Kind::all:
        break;
    case EventFilter::Kind::calls:
        if (event.kind != ItemKind::call) {
            return false;
        }
        break;
    case EventFilter::Kind::blocked:
        if (blockedFor(event) < 0) {
            return false;
        }
        break;
    case EventFilter::Kind::operations:
        if (!operation) {
            return false;
        }
        break;
    case EventFilter::Kind::kernels:
        if (!operation || of != OperationKind::kernel) {
            return false;
        }
        break;
    case EventFilter::Kind::copies:
        if (!operation || !is_copy(of)) {
            return false;
        }
        break;
    case EventFilter::Kind::memsets:
        if (!operation || of != OperationKind::memset) {
            return false;
        }
        break;
    case EventFilter::Kind::ranges:
        if (event.kind != ItemKind::range) {
            return false;
        }
        break;
    case EventFilter::Kind::host:
        if (event.kind != ItemKind::hostSpan && event.kind != ItemKind::read) {
            return false;
        }
        break;
    }
    if (m_filter.range) {
        const TimeSpan span = spanOf(*m_recording, event);
        return span.start < m_filter.range->end && std::max(span.end, span.start + 1) > m_filter.range->start;
    }
    return true;
}

void EventsModel::refill()
{
    m_shown.clear();
    if (!m_recording) {
        return;
    }
    const QStringList words = m_filter.words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    // The text that the words are sought in has few distinct values: name and lane of a kind of event.
    std::unordered_map<std::string, bool> known;
    const Trace& trace = *m_recording->trace;
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        const ItemRef event = m_all[i];
        if (!passes(event)) {
            continue;
        }
        if (!words.isEmpty()) {
            std::uint32_t nameId = 0, laneId = 0;
            switch (event.kind) {
            case ItemKind::none:
            case ItemKind::blocked:
            case ItemKind::overlap:
                break;
            case ItemKind::operation:
                nameId = trace.operations.name[event.row];
                laneId = trace.operations.stream[event.row];
                break;
            case ItemKind::call:
                nameId = trace.calls.name[event.row];
                laneId = trace.calls.thread[event.row];
                break;
            case ItemKind::range:
                nameId = trace.ranges[event.row].name;
                laneId = trace.ranges[event.row].thread;
                break;
            case ItemKind::hostSpan:
                nameId = trace.host_spans[event.row].name;
                laneId = trace.host_spans[event.row].thread;
                break;
            case ItemKind::read:
                nameId = trace.reads[event.row].buffer;
                laneId = trace.reads[event.row].thread;
                break;
            }
            const std::uint32_t key[] = {static_cast<std::uint32_t>(event.kind), nameId, laneId,
                event.kind == ItemKind::operation ? static_cast<std::uint32_t>(trace.operations.kind[event.row]) : 0};
            const std::string packed(reinterpret_cast<const char*>(key), sizeof key);
            auto [entry, fresh] = known.try_emplace(packed, false);
            if (fresh) {
                const QString all
                    = nameOf(trace, event) + QLatin1Char(' ') + laneOf(event) + QLatin1Char(' ') + kindOf(event);
                entry->second = std::all_of(words.begin(), words.end(),
                    [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
            }
            if (!entry->second) {
                continue;
            }
        }
        m_shown.push_back(static_cast<std::uint32_t>(i));
    }
    arrange();
}

void EventsModel::arrange()
{
    const auto by = [&](auto key) {
        // Keys once an event, not once a comparison.
        using Key = decltype(key(ItemRef {}));
        std::vector<std::pair<Key, std::uint32_t>> keyed;
        keyed.reserve(m_shown.size());
        for (const std::uint32_t i : m_shown) {
            keyed.emplace_back(key(m_all[i]), i);
        }
        const bool down = m_sortOrder == Qt::DescendingOrder;
        std::stable_sort(keyed.begin(), keyed.end(),
            [down](const auto& a, const auto& b) { return down ? b.first < a.first : a.first < b.first; });
        for (std::size_t i = 0; i < keyed.size(); ++i) {
            m_shown[i] = keyed[i].second;
        }
    };
    switch (m_sortColumn) {
    case start:
        std::sort(m_shown.begin(), m_shown.end());
        if (m_sortOrder == Qt::DescendingOrder) {
            std::reverse(m_shown.begin(), m_shown.end());
        }
        break;
    case duration:
        by([&](ItemRef event) {
            const TimeSpan span = spanOf(*m_recording, event);
            return span.end - span.start;
        });
        break;
    case bytes:
        by([&](ItemRef event) { return bytesOf(event); });
        break;
    case blocked:
        by([&](ItemRef event) { return blockedFor(event); });
        break;
    default:
        by([&](ItemRef event) { return textOf(event, m_sortColumn); });
    }
}

void EventsModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= column_count) {
        return;
    }
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<ItemRef> held;
    for (const QModelIndex& index : before) {
        held.push_back(eventAt(index.row()));
    }
    m_sortColumn = column;
    m_sortOrder = order;
    if (m_recording) {
        std::sort(m_shown.begin(), m_shown.end());  // equals stay in the order of time
        arrange();
    }
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        after.push_back(index(rowOf(held[static_cast<std::size_t>(i)]), before[i].column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged();
}

ItemRef EventsModel::eventAt(int row) const
{
    return row >= 0 && static_cast<std::size_t>(row) < m_shown.size() ? m_all[m_shown[static_cast<std::size_t>(row)]]
                                                                      : ItemRef {};
}

int EventsModel::rowOf(ItemRef event) const
{
    const auto found = std::find_if(m_shown.begin(), m_shown.end(), [&](std::uint32_t i) { return m_all[i] == event; });
    return found == m_shown.end() ? -1 : static_cast<int>(found - m_shown.begin());
}

int EventsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int EventsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : column_count;
}

QVariant EventsModel::data(const QModelIndex& index, int role) const
{
    const ItemRef event = eventAt(index.row());
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

QString EventsModel::textOf(ItemRef event, int column) const
{
    const Trace& trace = *m_recording->trace;
    const TimeSpan span = spanOf(*m_recording, event);
    switch (column) {
    case start:
        return QStringLiteral("%L1 ms").arg(static_cast<double>(span.start) / 1e6, 0, 'f', 4);
    case duration:
        return formatTime(span.end - span.start);
    case kind:
        return kindOf(event);
    case name:
        return nameOf(trace, event);
    case lane:
        return laneOf(event);
    case bytes: {
        const std::uint64_t count = bytesOf(event);
        return count == 0 ? QString() : formatBytes(count);
    }
    case blocked: {
        const Ns ns = blockedFor(event);
        return ns < 0 ? QString() : formatTime(ns);
    }
    default:
        return {};
    }
}

QString EventsModel::kindOf(ItemRef event) const
{
    switch (event.kind) {
    case ItemKind::none:
    case ItemKind::blocked:
    case ItemKind::overlap:
        break;
    case ItemKind::operation:
        return kindText(m_recording->trace->operations.kind[event.row]);
    case ItemKind::call:
        return tr("API call");
    case ItemKind::range:
        return m_recording->trace->ranges[event.row].mark ? tr("mark") : tr("range");
    case ItemKind::hostSpan:
        return m_recording->trace->host_spans[event.row].type == HostSpanRecord::work ? tr("CPU work")
                                                                                      : tr("host wait");
    case ItemKind::read:
        return tr("read");
    }
    return {};
}

QString EventsModel::laneOf(ItemRef event) const
{
    const Trace& trace = *m_recording->trace;
    switch (event.kind) {
    case ItemKind::none:
    case ItemKind::blocked:
    case ItemKind::overlap:
        break;
    case ItemKind::operation:
        return streamText(trace, trace.operations.stream[event.row]);
    case ItemKind::call:
        return threadText(trace, trace.calls.thread[event.row]);
    case ItemKind::range:
        return threadText(trace, trace.ranges[event.row].thread);
    case ItemKind::hostSpan:
        return threadText(trace, trace.host_spans[event.row].thread);
    case ItemKind::read:
        return threadText(trace, trace.reads[event.row].thread);
    }
    return {};
}

std::uint64_t EventsModel::bytesOf(ItemRef event) const
{
    if (event.kind == ItemKind::operation) {
        return m_recording->trace->bytes_of(event.row);
    }
    return event.kind == ItemKind::read ? m_recording->trace->reads[event.row].bytes : 0;
}

Ns EventsModel::blockedFor(ItemRef event) const
{
    if (event.kind != ItemKind::call) {
        return -1;
    }
    const auto found = std::lower_bound(m_blocked.begin(), m_blocked.end(), std::pair<Row, Ns>(event.row, -1));
    return found != m_blocked.end() && found->first == event.row ? found->second : -1;
}

}  // namespace lanes::gui
