// SPDX-License-Identifier: MIT
#include "engine/analysis/query/event_list.h"

#include "engine/trace/event.h"
#include "engine/trace/merge_tree.h"

#include <algorithm>
#include <limits>

namespace lanes {

namespace {

constexpr std::array tables {
    EventTable::calls, EventTable::operations, EventTable::ranges, EventTable::host_spans, EventTable::reads};
constexpr std::uint32_t slice = 1U << 15U;  ///< events between two looks at the stop token

std::size_t place_of(EventTable table)
{
    return static_cast<std::size_t>(std::find(tables.begin(), tables.end(), table) - tables.begin());
}

}  // namespace

EventList::EventList(const Trace& trace, const Wanted& wanted, const std::stop_token& stop)
    : m_trace(&trace)
{
    std::size_t sum = 0;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        sum = std::min<std::size_t>(sum + size_of(trace, tables[i]), std::numeric_limits<std::uint32_t>::max());
        m_first[i + 1] = static_cast<std::uint32_t>(sum);
    }
    // Sorted runs: the operations of each stream, and each other table.
    std::vector<std::uint32_t> kept;
    std::vector<std::size_t> ends {0};
    const auto look = [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t number = begin; number < end; ++number) {
            if (number % slice == 0 && stop.stop_requested()) {
                return;
            }
            if (wanted(event_of(number))) {
                kept.push_back(number);
            }
        }
        if (kept.size() > ends.back()) {
            ends.push_back(kept.size());
        }
    };
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (tables[i] != EventTable::operations) {
            look(m_first[i], m_first[i + 1]);
            continue;
        }
        for (Row stream = 0; stream < trace.streams.size(); ++stream) {
            const RowSpan rows = trace.operations_of(stream);
            look(std::min(m_first[i] + rows.begin, m_first[i + 1]), std::min(m_first[i] + rows.end, m_first[i + 1]));
        }
    }
    const std::size_t runs = ends.size() - 1;
    std::vector<std::size_t> at(ends.begin(), ends.end() - 1);
    MergeTree next(runs);  // equal times: the earlier run first, so by table, then by row
    const auto step_to
        = [&](std::size_t run) { next.set(run, at[run] < ends[run + 1] ? start_of(kept[at[run]]) : MergeTree::never); };
    for (std::size_t run = 0; run < runs; ++run) {
        step_to(run);
    }
    m_numbers.reserve(kept.size());
    while (m_numbers.size() < kept.size()) {
        if (m_numbers.size() % slice == 0 && stop.stop_requested()) {
            break;
        }
        const std::size_t run = next.first();
        m_numbers.push_back(kept[at[run]++]);
        step_to(run);
    }
    if (stop.stop_requested()) {
        m_numbers.clear();
    }
}

Ns EventList::start(std::size_t i) const
{
    return start_of(m_numbers[i]);
}

Ns EventList::start_of(std::uint32_t number) const
{
    return span_of(*m_trace, event_of(number)).start;
}

std::size_t EventList::first_from(Ns time) const
{
    const auto at = std::partition_point(
        m_numbers.begin(), m_numbers.end(), [&](std::uint32_t number) { return start_of(number) < time; });
    return static_cast<std::size_t>(at - m_numbers.begin());
}

std::optional<std::size_t> EventList::find(EventRef event) const
{
    const std::size_t table = place_of(event.table);
    if (table == tables.size() || m_numbers.empty()) {
        return {};
    }
    const std::uint32_t number = m_first[table] + event.row;
    const Ns start = span_of(*m_trace, event).start;
    const auto at = std::partition_point(m_numbers.begin(), m_numbers.end(), [&](std::uint32_t other) {
        const Ns time = start_of(other);
        return time < start || (time == start && other < number);
    });
    return at != m_numbers.end() && *at == number ? std::optional(static_cast<std::size_t>(at - m_numbers.begin()))
                                                  : std::nullopt;
}

EventRef EventList::event_of(std::uint32_t number) const
{
    std::size_t table = 0;
    while (number >= m_first[table + 1]) {
        ++table;
    }
    return {tables[table], number - m_first[table]};
}

}  // namespace lanes
