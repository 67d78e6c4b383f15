// SPDX-License-Identifier: MIT
#include "engine/analysis/query_hits.h"

#include "engine/trace/event.h"

#include <algorithm>
#include <bit>

namespace lanes {

std::size_t RowFlags::next(std::size_t row, std::size_t end) const
{
    if (row >= end) {
        return end;
    }
    std::size_t word = row / 64;
    std::uint64_t rest = word < m_words.size() ? m_words[word] & (~std::uint64_t {0} << row % 64) : 0;
    const std::size_t words = std::min(m_words.size(), (end + 63) / 64);
    while (rest == 0) {
        if (++word >= words) {
            return end;
        }
        rest = m_words[word];
    }
    return std::min(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)), end);
}

QueryHits::QueryHits(const std::shared_ptr<const Recording>& recording, const Query& query, const std::stop_token& stop)
    : QueryHits(
        recording,
        [matcher = QueryMatcher(query, *recording->trace, recording->blocking.get())](
            EventRef event) { return matcher.matches(event); },
        stop)
{
}

QueryHits::QueryHits(
    std::shared_ptr<const Recording> recording, const EventList::Wanted& wanted, const std::stop_token& stop)
    : m_recording(std::move(recording))
{
    const Trace& trace = *m_recording->trace;
    m_list = EventList(
        trace,
        [&](EventRef event) {
            return (event.table != EventTable::calls || trace.calls.outer[event.row] == no_row) && wanted(event);
        },
        stop);
    for (const EventTable table : event_tables) {
        m_flags[static_cast<std::size_t>(table)] = RowFlags(size_of(trace, table));
    }
    for (std::size_t i = 0; i < m_list.size(); ++i) {
        const EventRef event = m_list[i];
        m_flags[static_cast<std::size_t>(event.table)].set(event.row);
    }
}

std::vector<bool> QueryHits::columns(Ns from, double ns, std::size_t count) const
{
    std::vector<bool> hit(count);
    for (std::size_t i = 0; i < size();) {
        const auto column = static_cast<std::size_t>(std::max(0.0, static_cast<double>(m_list.start(i) - from) / ns));
        if (column >= count) {
            break;
        }
        hit[column] = true;
        // If rounding puts the next hit into the same column again, that costs one more step, never an endless loop.
        i = std::max(i + 1, m_list.first_from(from + static_cast<Ns>(static_cast<double>(column + 1) * ns)));
    }
    return hit;
}

}  // namespace lanes
