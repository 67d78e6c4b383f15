// SPDX-License-Identifier: MIT
#include "engine/analysis/findings/search.h"

#include <algorithm>
#include <utility>

namespace lanes {

Ns Search::held_cost(const std::vector<Row>& of_calls) const
{
    Ns sum = 0;
    for (const Row call : of_calls) {
        for (const Row stretch : blocking.of(call)) {
            const auto& of = blocking.calls[stretch];
            if (waits.kind_of(stretch) == WaitKind::held) {
                sum += waits.cost_of(stretch, in_range(of.start, of.end));
            }
        }
    }
    return sum;
}

Row Search::next_call(Row call) const
{
    constexpr Row far = 1000;
    const auto& calls = trace.calls;
    const auto stop = static_cast<Row>(std::min<std::size_t>(calls.size(), std::size_t {call} + far));
    for (Row row = call + 1; row < stop; ++row) {
        if (calls.thread[row] == calls.thread[call] && calls.outer[row] == no_row) {
            return row;
        }
    }
    return no_row;
}

replay::FoundRows tidy(replay::FoundRows rows)
{
    for (auto* of : {&rows.calls, &rows.operations}) {
        std::sort(of->begin(), of->end());
        of->erase(std::unique(of->begin(), of->end()), of->end());
    }
    std::sort(rows.takes.begin(), rows.takes.end());
    for (auto& stretches : rows.own_time) {
        stretches = unite(std::move(stretches));
    }
    return rows;
}

void Evidence::add(EventRef event, Ns length)
{
    ++m_count;
    if (m_events.size() >= 20 * most_evidence) {  // before it is added: that may be lengthened
        keep_longest();
    }
    m_events.emplace_back(length, event);
}

Ns Evidence::longest_length() const
{
    Ns longest = 0;
    for (const auto& [length, event] : m_events) {
        longest = std::max(longest, length);
    }
    return longest;
}

/// Of equals the earlier ones.
void Evidence::keep_longest()
{
    std::stable_sort(m_events.begin(), m_events.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    if (m_events.size() > most_evidence) {
        m_events.erase(m_events.begin() + most_evidence, m_events.end());
    }
}

std::vector<EventRef> Evidence::longest() const
{
    auto sorted = *this;
    sorted.keep_longest();
    std::vector<EventRef> events;
    for (const auto& [length, event] : sorted.m_events) {
        events.push_back(event);
    }
    return events;
}

}  // namespace lanes
