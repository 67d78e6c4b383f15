// SPDX-License-Identifier: MIT
#include "engine/analysis/summary.h"

#include "engine/trace/event.h"

#include <algorithm>
#include <map>

namespace lanes {

namespace {

/// The durations of one name's events, as they come.
struct Group {
    std::vector<Ns> durations;
    std::uint64_t bytes = 0;
    Ns blocked = 0;
    bool blocked_known = true;
};

MemoryKind host_memory(const CopyDetail& copy, OperationKind kind)
{
    return kind == OperationKind::h2d ? copy.source : kind == OperationKind::d2h ? copy.target : MemoryKind::device;
}

class Summariser {
public:
    Summariser(const Recording& recording, SummaryBy by, Interval range, const std::function<bool(EventRef)>& counts)
        : m_trace(*recording.trace)
        , m_blocking(*recording.blocking)
        , m_range(range)
        , m_counts(counts)
    {
        m_summary.by = by;
        m_summary.range = range;
    }
    Summary run();

private:
    void operations(bool kernels);
    void calls();
    void ranges();
    std::string copy_name(Row operation) const;

    /// The event's part in the range; nothing where it is not counted.
    std::optional<Interval> part_of(EventRef event) const;
    void finish(std::string name, Group& group);

    const Trace& m_trace;
    const Blocking& m_blocking;
    Interval m_range;
    const std::function<bool(EventRef)>& m_counts;
    Summary m_summary;
};

std::optional<Interval> Summariser::part_of(EventRef event) const
{
    const Interval span = span_of(m_trace, event);
    const Interval part {std::max(span.start, m_range.start), std::min(span.end, m_range.end)};
    const bool inside = part.start < part.end || (span.start == span.end && part.start == part.end);
    return inside && (!m_counts || m_counts(event)) ? std::optional(part) : std::nullopt;
}

void Summariser::finish(std::string name, Group& group)
{
    std::vector<Ns>& all = group.durations;
    if (all.empty()) {
        return;
    }
    SummaryRow row;
    row.name = std::move(name);
    row.count = all.size();
    row.bytes = group.bytes;
    for (const Ns duration : all) {
        row.total += duration;
    }
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    row.median = *middle;
    if (all.size() % 2 == 0) {
        const Ns below = *std::max_element(all.begin(), middle);
        row.median = below + (row.median - below) / 2;
    }
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    row.min = *least;
    row.max = *most;
    if (m_summary.by == SummaryBy::api && group.blocked_known) {
        row.blocked = group.blocked;
    }
    m_summary.total += row.total;
    m_summary.rows.push_back(std::move(row));
    all = {};
}

std::string Summariser::copy_name(Row operation) const
{
    const OperationKind kind = m_trace.operations.kind[operation];
    std::string name(short_name_of(kind));
    if (kind == OperationKind::h2d || kind == OperationKind::d2h) {
        const MemoryKind memory = host_memory(m_trace.copies[m_trace.operations.detail[operation]], kind);
        if (memory != MemoryKind::unknown) {
            name += ' ' + std::string(name_of(memory));
        }
    }
    return name;
}

void Summariser::operations(bool kernels)
{
    std::map<StringId, Group> named;  // kernels
    std::map<std::string, Group> moved;
    for (Row row = 0; row < m_trace.operations.size(); ++row) {
        if ((m_trace.operations.kind[row] == OperationKind::kernel) != kernels) {
            continue;
        }
        const auto part = part_of({EventTable::operations, row});
        if (!part) {
            continue;
        }
        Group& group = kernels ? named[m_trace.operations.name[row]] : moved[copy_name(row)];
        group.durations.push_back(part->end - part->start);
        if (!kernels && m_trace.operations.start[row] >= m_range.start) {
            group.bytes += m_trace.bytes_of(row);
        }
    }
    for (auto& [name, group] : named) {
        finish(std::string(m_trace.text(name)), group);
    }
    for (auto& [name, group] : moved) {
        finish(name, group);
    }
}

void Summariser::calls()
{
    std::map<StringId, Group> named;
    for (Row row = 0; row < m_trace.calls.size(); ++row) {
        if (m_trace.calls.outer[row] != no_row) {
            continue;
        }
        const auto part = part_of({EventTable::calls, row});
        if (!part) {
            continue;
        }
        Group& group = named[m_trace.calls.name[row]];
        group.durations.push_back(part->end - part->start);
        const Row thread = m_trace.calls.thread[row];
        group.blocked_known = group.blocked_known && m_blocking.knows(thread);
        for (const Row stretch : m_blocking.of(row)) {
            const BlockedCall& held = m_blocking.calls[stretch];
            group.blocked += std::max<Ns>(0, std::min(held.end, m_range.end) - std::max(held.start, m_range.start));
        }
    }
    for (auto& [name, group] : named) {
        finish(std::string(m_trace.text(name)), group);
    }
}

void Summariser::ranges()
{
    std::map<StringId, Group> named;
    for (Row row = 0; row < m_trace.ranges.size(); ++row) {
        if (m_trace.ranges[row].mark) {
            continue;
        }
        if (const auto part = part_of({EventTable::ranges, row})) {
            named[m_trace.ranges[row].name].durations.push_back(part->end - part->start);
        }
    }
    for (auto& [name, group] : named) {
        finish(std::string(m_trace.text(name)), group);
    }
}

Summary Summariser::run()
{
    switch (m_summary.by) {
    case SummaryBy::kernel:
        operations(true);
        break;
    case SummaryBy::copy:
        operations(false);
        break;
    case SummaryBy::api:
        calls();
        break;
    case SummaryBy::range:
        ranges();
        break;
    }
    std::sort(m_summary.rows.begin(), m_summary.rows.end(), [](const SummaryRow& a, const SummaryRow& b) {
        return a.total != b.total ? a.total > b.total : a.name < b.name;
    });
    return std::move(m_summary);
}

}  // namespace

std::string_view name_of(SummaryBy by)
{
    constexpr std::array<std::string_view, summary_tables.size()> names {"kernel", "copy", "api", "range"};
    return names[static_cast<std::size_t>(by)];
}

Summary summarise(const Recording& recording, SummaryBy by, std::optional<Interval> range,
    const std::function<bool(EventRef)>& counts)
{
    return Summariser(recording, by, range.value_or(Interval {0, recording.trace->duration}), counts).run();
}

}  // namespace lanes
