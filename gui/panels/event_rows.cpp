// SPDX-License-Identifier: MIT
#include "gui/panels/event_rows.h"

#include "engine/analysis/event_matcher.h"
#include "gui/panels/details.h"
#include "gui/panels/format.h"
#include "gui/panels/texts.h"
#include "gui/timeline/event_hits.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace lanes::gui {

namespace {

constexpr std::array kinds {ItemKind::call, ItemKind::operation, ItemKind::range, ItemKind::hostSpan, ItemKind::read};

/// What is the same for events of the same words: a table, a kind of operation or span, a name.
std::uint64_t wordsOf(const Trace& trace, ItemRef event, EventColumn column)
{
    std::uint64_t kind = static_cast<std::uint64_t>(event.kind) << 8U;
    std::uint64_t name = 0;
    std::uint64_t lane = 0;
    switch (event.kind) {
    case ItemKind::operation:
        kind |= static_cast<std::uint64_t>(trace.operations.kind[event.row]);
        name = trace.operations.name[event.row];
        lane = trace.operations.stream[event.row];
        break;
    case ItemKind::call:
        name = trace.calls.name[event.row];
        lane = trace.calls.thread[event.row];
        break;
    case ItemKind::range:
        kind |= trace.ranges[event.row].mark ? 1U : 0U;
        name = trace.ranges[event.row].name;
        lane = trace.ranges[event.row].thread;
        break;
    case ItemKind::hostSpan:
        kind |= static_cast<std::uint64_t>(trace.host_spans[event.row].type);
        name = trace.host_spans[event.row].name;
        lane = trace.host_spans[event.row].thread;
        break;
    case ItemKind::read:
        name = trace.reads[event.row].buffer;
        lane = trace.reads[event.row].thread;
        break;
    default:
        break;
    }
    return column == EventColumn::kind ? kind : kind << 32U | (column == EventColumn::name ? name : lane);
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
    for (const BlockedCall& held : m_recording->blocking->calls) {
        m_blocked.emplace_back(held.call, held.end - held.start);
    }
    std::sort(m_blocked.begin(), m_blocked.end());
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
    const EventMatcher matcher(filter.query, trace, m_recording->blocking.get());
    std::vector<std::size_t> ends {0};
    const auto look = [&](ItemKind kind, std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t number = begin; number < end; ++number) {
            if (number % slice == 0 && cancelled) {
                return;
            }
            const ItemRef event {kind,
                number
                    - m_first[static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin())]};
            if (!matcher.all() && !matcher.matches(*eventRefOf(*m_recording, event))) {
                continue;
            }
            if (filter.range) {
                const TimeSpan span = spanOf(*m_recording, event);
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
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i] != ItemKind::operation) {
            look(kinds[i], m_first[i], m_first[i + 1]);
            continue;
        }
        for (Row stream = 0; stream < trace.streams.size(); ++stream) {
            const RowSpan rows = trace.operations_of(stream);
            look(kinds[i], m_first[i] + rows.begin, std::min(m_first[i] + rows.end, m_first[i + 1]));
        }
    }
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
        return spanOf(*m_recording, eventOf(a)).start < spanOf(*m_recording, eventOf(b)).start;
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
            const ItemRef event = eventOf(number);
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
        const ItemRef event = eventOf(number);
        std::int64_t key = 0;
        switch (order.column) {
        case EventColumn::duration: {
            const TimeSpan span = spanOf(*m_recording, event);
            key = span.end - span.start;
            break;
        }
        case EventColumn::bytes:
            key = static_cast<std::int64_t>(bytesOf(event));
            break;
        case EventColumn::blocked:
            key = blockedFor(event);
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

ItemRef EventRows::eventOf(std::uint32_t number) const
{
    std::size_t table = 0;
    while (number >= m_first[table + 1]) {
        ++table;
    }
    return {kinds[table], number - m_first[table]};
}

std::uint32_t EventRows::numberOf(ItemRef event) const
{
    const auto table = static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), event.kind) - kinds.begin());
    return table < kinds.size() ? m_first[table] + event.row : m_first.back();
}

std::optional<std::size_t> EventRows::rowOf(ItemRef event) const
{
    const auto found = event ? std::find(m_shown.begin(), m_shown.end(), numberOf(event)) : m_shown.end();
    return found == m_shown.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - m_shown.begin()));
}

std::uint64_t EventRows::bytesOf(ItemRef event) const
{
    if (event.kind == ItemKind::operation) {
        return m_recording->trace->bytes_of(event.row);
    }
    return event.kind == ItemKind::read ? m_recording->trace->reads[event.row].bytes : 0;
}

Ns EventRows::blockedFor(ItemRef event) const
{
    if (event.kind != ItemKind::call) {
        return -1;
    }
    const auto found = std::lower_bound(m_blocked.begin(), m_blocked.end(), std::pair<Row, Ns>(event.row, -1));
    return found != m_blocked.end() && found->first == event.row ? found->second : -1;
}

QString kindTextOf(const OpenRecording& recording, ItemRef event)
{
    switch (event.kind) {
    case ItemKind::none:
    case ItemKind::blocked:
    case ItemKind::overlap:
        break;
    case ItemKind::operation:
        return kindText(recording.trace->operations.kind[event.row]);
    case ItemKind::call:
        return tr("API call");
    case ItemKind::range:
        return recording.trace->ranges[event.row].mark ? tr("mark") : tr("range");
    case ItemKind::hostSpan:
        switch (recording.trace->host_spans[event.row].type) {
        case HostSpanRecord::work:
            return tr("CPU work");
        case HostSpanRecord::staging:
            return tr("staging");
        default:
            return tr("host wait");
        }
    case ItemKind::read:
        return tr("read");
    }
    return {};
}

QString laneTextOf(const OpenRecording& recording, ItemRef event)
{
    const Trace& trace = *recording.trace;
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

}  // namespace lanes::gui
