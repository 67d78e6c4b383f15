// SPDX-License-Identifier: MIT
#include "gui/panels/event_rows.h"

#include "engine/analysis/query_matcher.h"
#include "gui/panels/details.h"
#include "gui/panels/format.h"
#include "gui/panels/texts.h"
#include "gui/timeline/query_hits.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace lanes::gui {

namespace {

constexpr std::array tables {EventTable::calls, EventTable::operations, EventTable::ranges, EventTable::host_spans, EventTable::reads};

/// What is the same for events of the same words: a table, a kind of operation or span, a name.
std::uint64_t wordsOf(const Trace& trace, EventRef event, EventColumn column)
{
    const std::uint64_t kind = static_cast<std::uint64_t>(event.table) << 8U | static_cast<std::uint64_t>(kind_of(trace, event));
    return column == EventColumn::kind ? kind : kind << 32U | (column == EventColumn::name ? name_of(trace, event) : lane_of(trace, event));
}

}  // namespace

EventRows::EventRows(
    OpenRecordingPtr recording, const EventFilter& filter, EventOrder order, const std::atomic<bool>& cancelled)
    : m_recording(std::move(recording))
{
    if (!m_recording) {
        return;
    }
    const Trace& trace = *m_recording->trace;
    const std::array sizes {
        trace.calls.size(), trace.operations.size(), trace.ranges.size(), trace.host_spans.size(), trace.reads.size()};
    std::size_t sum = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        sum = std::min<std::size_t>(sum + sizes[i], std::numeric_limits<std::uint32_t>::max());
        m_first[i + 1] = static_cast<std::uint32_t>(sum);
    }
    collect(filter, cancelled);
    if (!cancelled) {
        arrange(order);
    }
    m_passed = m_shown.size();
    if (m_shown.size() > most_shown) {
        m_shown.resize(most_shown);
        m_shown.shrink_to_fit();
    }
}

/// All that pass, by start: lists that are in order each, merged two by two.
void EventRows::collect(const EventFilter& filter, const std::atomic<bool>& cancelled)
{
    constexpr std::uint32_t slice = 1U << 15U;
    const Trace& trace = *m_recording->trace;
    const QueryMatcher matcher(filter.query, trace, m_recording->blocking.get());
    std::vector<std::size_t> ends {0};
    const auto look = [&](EventTable table, std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t number = begin; number < end; ++number) {
            if (number % slice == 0 && cancelled) {
                return;
            }
            const EventRef event {table,
                number
                    - m_first[static_cast<std::size_t>(std::find(tables.begin(), tables.end(), table) - tables.begin())]};
            if (!matcher.all() && !matcher.matches(event)) {
                continue;
            }
            if (filter.range) {
                const Interval span = span_of(trace, event);
                if (span.start >= filter.range->end || std::max(span.end, span.start + 1) <= filter.range->start) {
                    continue;
                }
            }
            m_shown.push_back(number);
        }
        if (m_shown.size() > ends.back()) {
            ends.push_back(m_shown.size());
        }
    };
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (tables[i] != EventTable::operations) {
            look(tables[i], m_first[i], m_first[i + 1]);
            continue;
        }
        for (Row stream = 0; stream < trace.streams.size(); ++stream) {
            const RowSpan rows = trace.operations_of(stream);
            look(tables[i], m_first[i] + rows.begin, std::min(m_first[i] + rows.end, m_first[i + 1]));
        }
    }
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
        return span_of(trace, eventOf(a)).start < span_of(trace, eventOf(b)).start;
    };
    std::vector<std::uint32_t> merged(m_shown.size());
    while (ends.size() > 2 && !cancelled) {
        std::vector<std::size_t> fewer {0};
        for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
            const auto at = [&](std::size_t end) { return m_shown.begin() + static_cast<std::ptrdiff_t>(end); };
            const std::size_t last = std::min(i + 2, ends.size() - 1);
            std::merge(at(ends[i]), at(ends[i + 1]), at(ends[i + 1]), at(ends[last]),
                merged.begin() + static_cast<std::ptrdiff_t>(ends[i]), earlier);
            fewer.push_back(ends[last]);
        }
        m_shown.swap(merged);
        ends.swap(fewer);
    }
}

void EventRows::arrange(EventOrder order)
{
    if (order.column == EventColumn::start) {
        if (order.descending) {
            std::reverse(m_shown.begin(), m_shown.end());
        }
        return;
    }
    const Trace& trace = *m_recording->trace;
    std::vector<std::pair<std::int64_t, std::uint32_t>> keyed;  // keys once an event, not once a comparison
    keyed.reserve(m_shown.size());
    std::unordered_map<std::uint64_t, std::int64_t> ranks;
    if (order.column == EventColumn::kind || order.column == EventColumn::name || order.column == EventColumn::lane) {
        std::vector<std::pair<QString, std::uint64_t>> texts;
        for (const std::uint32_t number : m_shown) {
            const EventRef event = eventOf(number);
            if (const auto words = wordsOf(trace, event, order.column); ranks.try_emplace(words, 0).second) {
                texts.emplace_back(order.column == EventColumn::kind ? kindTextOf(*m_recording, event)
                        : order.column == EventColumn::name          ? nameOf(trace, event)
                                                                     : laneTextOf(*m_recording, event),
                    words);
            }
        }
        std::sort(texts.begin(), texts.end());
        std::int64_t rank = 0;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            rank += i > 0 && texts[i].first != texts[i - 1].first;
            ranks[texts[i].second] = rank;
        }
    }
    for (const std::uint32_t number : m_shown) {
        const EventRef event = eventOf(number);
        std::int64_t key = 0;
        switch (order.column) {
        case EventColumn::duration: {
            const Interval span = span_of(trace, event);
            key = span.end - span.start;
            break;
        }
        case EventColumn::bytes:
            key = static_cast<std::int64_t>(bytes_of(trace, event));
            break;
        case EventColumn::blocked:
            key = event.table == EventTable::calls && !m_recording->blocking->of(event.row).empty() ? m_recording->blocking->time_of(event.row) : -1;
            break;
        default:
            key = ranks[wordsOf(trace, event, order.column)];
        }
        keyed.emplace_back(key, number);
    }
    std::stable_sort(keyed.begin(), keyed.end(),
        [&](const auto& a, const auto& b) { return order.descending ? b.first < a.first : a.first < b.first; });
    for (std::size_t i = 0; i < keyed.size(); ++i) {
        m_shown[i] = keyed[i].second;
    }
}

EventRef EventRows::eventOf(std::uint32_t number) const
{
    std::size_t table = 0;
    while (number >= m_first[table + 1]) {
        ++table;
    }
    return {tables[table], number - m_first[table]};
}

std::uint32_t EventRows::numberOf(EventRef event) const
{
    const auto table = static_cast<std::size_t>(std::find(tables.begin(), tables.end(), event.table) - tables.begin());
    return table < tables.size() ? m_first[table] + event.row : m_first.back();
}

std::optional<std::size_t> EventRows::rowOf(EventRef event) const
{
    const auto found = event ? std::find(m_shown.begin(), m_shown.end(), numberOf(event)) : m_shown.end();
    return found == m_shown.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - m_shown.begin()));
}

QString kindTextOf(const OpenRecording& recording, EventRef event)
{
    const EventKind kind = kind_of(*recording.trace, event);
    switch (kind) {
    case EventKind::call:
        return tr("API call");
    case EventKind::range:
        return tr("range");
    case EventKind::mark:
        return tr("mark");
    case EventKind::work:
        return tr("CPU work");
    case EventKind::staging:
        return tr("staging");
    case EventKind::wait:
        return tr("host wait");
    case EventKind::read:
        return tr("read");
    default:
        return kindText(static_cast<OperationKind>(kind));
    }
}

QString laneTextOf(const OpenRecording& recording, EventRef event)
{
    const Row lane = lane_of(*recording.trace, event);
    return event.table == EventTable::operations ? streamText(*recording.trace, lane) : threadText(*recording.trace, lane);
}

}  // namespace lanes::gui
