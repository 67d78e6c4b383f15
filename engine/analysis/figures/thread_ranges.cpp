// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/thread_ranges.h"

#include "engine/analysis/facts/steady_state.h"
#include "engine/analysis/figures/operators.h"
#include "engine/ascii.h"
#include "engine/trace/event.h"
#include "engine/trace/range_kinds.h"

#include <algorithm>

namespace lanes {

namespace {

/// "step" of "step 7" and "step#7"; "AddmmBackward0" is a name.
std::string_view counted_name(std::string_view name)
{
    const auto rest = without_number(name);
    const bool is_apart = rest.size() < name.size() && !ascii::is_digit(name[rest.size()]);
    return is_apart ? rest : name;
}

}  // namespace

ThreadRanges::ThreadRanges(const Trace& trace)
    : m_trace(&trace)
    , m_threads(trace.threads.size())
{
    const auto& ranges = trace.ranges;
    const Ns most = trace.duration / 2;
    const RangeKinds kinds(trace);
    for (Row row = 0; row < ranges.size(); ++row) {
        const auto& range = ranges[row];
        if (range.thread != no_row && !range.mark && !range.open && range.end > range.start && !kinds.is_sampled(row)
            && !kinds.only_leads_on(row)) {
            auto& of = m_threads[range.thread];
            const bool is_long = range.end - range.start > most && !is_operator(trace, row);
            (is_long ? of.longer : of.rows).push_back(row);
        }
    }
    const auto is_before = [&](Row a, Row b) {
        return ranges[a].start != ranges[b].start ? ranges[a].start < ranges[b].start : ranges[a].end > ranges[b].end;
    };
    std::unordered_map<std::string_view, StringId> first;
    for (auto& of : m_threads) {
        for (auto* rows : {&of.rows, &of.longer}) {
            if (!std::is_sorted(rows->begin(), rows->end(), is_before)) {
                std::stable_sort(rows->begin(), rows->end(), is_before);
            }
        }
        std::vector<Row> open;  // places
        Row kept = 0;
        for (const Row row : of.rows) {
            while (!open.empty() && ranges[of.rows[open.back()]].end <= ranges[row].start) {
                open.pop_back();
            }
            if (!open.empty() && is_operator(trace, row) && is_operator(trace, of.rows[open.back()])) {
                continue;
            }
            of.around.push_back(open.empty() ? no_row : open.back());
            open.push_back(kept);
            of.rows[kept++] = row;
            if (const auto name = counted_name(trace.text(ranges[row].name));
                name.size() < trace.text(ranges[row].name).size()) {
                m_first_name.try_emplace(ranges[row].name, first.try_emplace(name, ranges[row].name).first->second);
            }
        }
        of.rows.resize(kept);
        of.rows.shrink_to_fit();
        of.around.shrink_to_fit();
    }
}

ThreadRanges::RangeStretch ThreadRanges::last(Row thread, Interval within) const
{
    const auto& of = m_threads[thread];
    const auto& ranges = m_trace->ranges;
    const auto behind
        = std::partition_point(of.rows.begin(), of.rows.end(), [&](Row row) { return ranges[row].start < within.end; });
    if (behind == of.rows.begin()) {
        return {within.start, no_row};
    }
    auto place = static_cast<Row>(behind - of.rows.begin()) - 1;
    Ns start = ranges[of.rows[place]].start;
    while (place != no_row && ranges[of.rows[place]].end < within.end) {
        start = std::max(start, ranges[of.rows[place]].end);  // that range is over: back in the one around it
        place = of.around[place];
    }
    return {std::max(start, within.start), place == no_row ? no_row : of.rows[place]};
}

Row ThreadRanges::named_at(Row thread, Ns time) const
{
    const auto& of = m_threads[thread];
    const auto& ranges = m_trace->ranges;
    const auto behind
        = std::partition_point(of.rows.begin(), of.rows.end(), [&](Row row) { return ranges[row].start <= time; });
    Row place = behind == of.rows.begin() ? no_row : static_cast<Row>(behind - of.rows.begin()) - 1;
    while (place != no_row && (ranges[of.rows[place]].end <= time || is_operator(*m_trace, of.rows[place]))) {
        place = of.around[place];
    }
    return place == no_row ? no_row : of.rows[place];
}

Row ThreadRanges::ended_in(Row thread, std::string_view name, Interval within) const
{
    constexpr std::ptrdiff_t looked_at = 64;
    const auto& rows = m_threads[thread].rows;
    const auto& ranges = m_trace->ranges;
    auto at = std::partition_point(rows.begin(), rows.end(), [&](Row row) { return ranges[row].start < within.end; });
    Row found = no_row;
    for (auto left = std::min(looked_at, at - rows.begin()); left > 0; --left) {
        const Row row = *--at;
        if (ranges[row].end > within.start && ranges[row].end <= within.end
            && (found == no_row || ranges[row].end > ranges[found].end) && m_trace->text(ranges[row].name) == name) {
            found = row;
        }
    }
    return found;
}

/// Only ranges that contain at least `least` of the stretch.
Row ThreadRanges::shortest(Row thread, Interval stretch, Ns least) const
{
    constexpr std::ptrdiff_t looked_at = 64;
    const auto& ranges = m_trace->ranges;
    const auto length = [&](Row row) { return ranges[row].end - ranges[row].start; };
    Row found = no_row;
    for (const auto* rows : {&m_threads[thread].rows, &m_threads[thread].longer}) {
        auto at = std::partition_point(
            rows->begin(), rows->end(), [&](Row row) { return ranges[row].start <= stretch.end - least; });
        for (auto left = std::min(looked_at, at - rows->begin()); left > 0; --left) {
            const Row row = *--at;
            if (std::min(ranges[row].end, stretch.end) - std::max(ranges[row].start, stretch.start) >= least
                && (found == no_row || length(row) < length(found))) {
                found = row;
            }
        }
    }
    return found;
}

Row ThreadRanges::around(Row thread, Interval stretch) const
{
    constexpr Ns part = 10;
    if (thread == no_row) {
        return no_row;
    }
    const Ns length = stretch.end - stretch.start;
    Row found = shortest(thread, stretch, length - length / part);
    const auto process = m_trace->threads[thread].process;
    for (Row other = 0; found == no_row && other < m_threads.size(); ++other) {
        found = m_trace->threads[other].process == process ? shortest(other, stretch, length / 2) : no_row;
    }
    return found;
}

StringId ThreadRanges::name_of(EventRef event) const
{
    const StringId name = lanes::name_of(*m_trace, event);
    const auto found = event.table == EventTable::ranges ? m_first_name.find(name) : m_first_name.end();
    return found == m_first_name.end() ? name : found->second;
}

std::string_view shown_name(const Trace& trace, EventTable table, StringId name)
{
    return table == EventTable::ranges ? counted_name(trace.text(name)) : trace.text(name);
}

}  // namespace lanes
