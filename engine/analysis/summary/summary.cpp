// SPDX-License-Identifier: MIT
#include "engine/analysis/summary/summary.h"

#include "engine/analysis/figures/gpu_times.h"
#include "engine/trace/event.h"
#include "engine/trace/median.h"
#include "engine/trace/sampled_range.h"

#include <algorithm>
#include <limits>
#include <map>

namespace lanes {

namespace {

constexpr Row rows_a_look = 1U << 15U;  ///< between looks at the stop token

/// The durations of one name's events, in no order.
struct SummaryGroup {
    std::vector<Ns> durations;
    EventRef longest;
    Ns most = -1;
    std::uint64_t bytes = 0;
    Ns inside = 0;  ///< of other ranges
    Ns blocked = 0, held = 0;
    bool blocked_known = true;
    std::vector<Row> moving;  ///< copies, memsets and communication

    void add(EventRef event, Ns duration)
    {
        durations.push_back(duration);
        if (duration > most) {
            most = duration;
            longest = event;
        }
    }
};

MemoryKind host_memory(const CopyDetail& copy, OperationKind kind)
{
    return kind == OperationKind::h2d ? copy.source : kind == OperationKind::d2h ? copy.target : MemoryKind::device;
}

/// The kind and host memory from which a copy's name is made.
using CopyKey = std::pair<OperationKind, MemoryKind>;

CopyKey copy_key(const Trace& trace, Row operation)
{
    const OperationKind kind = trace.operations.kind[operation];
    return {kind,
        kind == OperationKind::h2d || kind == OperationKind::d2h
            ? host_memory(trace.copies[trace.operations.detail[operation]], kind)
            : MemoryKind::unknown};
}

std::string copy_name(CopyKey key)
{
    std::string name(short_name_of(key.first));
    if (key.second != MemoryKind::unknown) {
        name += ' ' + std::string(name_of(key.second));
    }
    return name;
}

/// The table with the events that a summary counts.
EventTable source_of(SummaryBy by)
{
    return by == SummaryBy::api  ? EventTable::calls
        : by == SummaryBy::range ? EventTable::ranges
                                 : EventTable::operations;
}

/// Whether the summary counts an event of its source.
bool is_counted(const Trace& trace, SummaryBy by, Row row)
{
    switch (by) {
    case SummaryBy::kernel:
        return trace.operations.kind[row] == OperationKind::kernel;
    case SummaryBy::copy:
        return trace.operations.kind[row] != OperationKind::kernel;
    case SummaryBy::api:
        return trace.calls.outer[row] == no_row;
    case SummaryBy::range:
        return !trace.ranges[row].mark && !is_sampled(trace, row);
    case SummaryBy::family:
    case SummaryBy::owner:
    case SummaryBy::module:
    case SummaryBy::line:
        return true;
    }
    return false;
}

StringId name_id(const Trace& trace, SummaryBy by, Row row)
{
    return by == SummaryBy::api  ? trace.calls.name[row]
        : by == SummaryBy::range ? trace.ranges[row].name
                                 : trace.operations.name[row];
}

/// Whether the table is of owners, or of a part of them.
bool is_by_owner(SummaryBy by)
{
    return by == SummaryBy::owner || by == SummaryBy::module || by == SummaryBy::line;
}

/// The name under which such a table has an operation.
std::string_view owner_name(const Owners& owners, const Owner& owner, SummaryBy by)
{
    return by == SummaryBy::module ? owners.text(owner, OwnerPart::module)
        : by == SummaryBy::line    ? owners.text(owner, OwnerPart::line)
                                   : owners.text(owner);
}

/// Those of the recording; made anew if it has no graph yet.
std::shared_ptr<const Owners> owners_of(const Recording& recording)
{
    return recording.graph ? std::shared_ptr<const Owners>(recording.graph, &recording.graph->owners())
                           : std::make_shared<const Owners>(*recording.trace);
}

/// The event's part in the range; nothing if it is not counted.
std::optional<Interval> part_of(
    const Trace& trace, EventRef event, Interval range, const std::function<bool(EventRef)>& counts)
{
    const Interval span = span_of(trace, event);
    const Interval part = common(span, range);
    const bool inside = part.start < part.end || (span.start == span.end && part.start == part.end);
    return inside && (!counts || counts(event)) ? std::optional(part) : std::nullopt;
}

Interval range_of(const Recording& recording, const SummaryScope& scope)
{
    return scope.range.value_or(Interval {0, recording.trace->duration});
}

std::uint32_t gpu_of(const Trace& trace, Row operation)
{
    return trace.streams[trace.operations.stream[operation]].device;
}

class Summariser {
public:
    Summariser(const Recording& recording, SummaryBy by, const SummaryScope& scope)
        : m_trace(*recording.trace)
        , m_blocking(*recording.blocking)
        , m_waits(recording.waits.get())
        , m_communicates(*recording.trace)
        , m_scope(scope)
    {
        m_summary.by = by;
        if (by == SummaryBy::family) {
            m_families.emplace(m_trace);
        }
        if (is_by_owner(by)) {
            m_owners = owners_of(recording);
        }
        m_summary.range = range_of(recording, scope);
    }
    Summary run(const std::stop_token& stop);

private:
    void add(EventRef event, Interval part);
    SummaryGroup& group_of_owner(Row operation);
    void add_ranges(const std::stop_token& stop);
    void find_exposed(const std::stop_token& stop);
    Ns exposed_of(const SummaryGroup& group) const;
    void finish(std::string name, SummaryGroup& group);

    const Trace& m_trace;
    const Blocking& m_blocking;
    const WaitCosts* m_waits;  ///< null: not computed yet
    CommunicationKernels m_communicates;
    const SummaryScope& m_scope;
    std::map<StringId, SummaryGroup> m_named;
    std::map<CopyKey, SummaryGroup> m_moved;
    std::optional<OperationFamilies> m_families;
    std::map<Family, SummaryGroup> m_of_family;
    std::shared_ptr<const Owners> m_owners;  ///< null: the table is not by owner
    std::map<std::string_view, SummaryGroup> m_owned;
    std::map<std::uint32_t, Coverage> m_exposed;  ///< of each GPU that copies or communicates
    Summary m_summary;
};

SummaryGroup& Summariser::group_of_owner(Row operation)
{
    const auto owner = m_owners->of(operation);
    const auto* const miss = std::find(owner_misses.begin(), owner_misses.end(), owner.missing);
    if (miss != owner_misses.end()) {
        ++m_summary.missing[static_cast<std::size_t>(miss - owner_misses.begin())];
    }
    return m_owned[owner_name(*m_owners, owner, m_summary.by)];
}

void Summariser::add(EventRef event, Interval part)
{
    const Row row = event.row;
    const bool moves = m_summary.by == SummaryBy::copy;
    SummaryGroup& group = moves ? m_moved[copy_key(m_trace, row)]
        : m_families            ? m_of_family[m_families->of(m_trace, row)]
        : m_owners              ? group_of_owner(row)
                                : m_named[name_id(m_trace, m_summary.by, row)];
    group.add(event, part.end - part.start);
    const Interval& range = m_summary.range;
    const bool sums_up_work = event.table == EventTable::operations && !m_owners;
    if (sums_up_work && (m_trace.operations.kind[row] != OperationKind::kernel || m_communicates.has(m_trace, row))) {
        group.moving.push_back(row);
    }
    if (moves && m_trace.operations.start[row] >= range.start) {
        group.bytes += m_trace.bytes_of(row);
    }
    if (m_summary.by == SummaryBy::api) {
        group.blocked_known = group.blocked_known && m_blocking.knows(m_trace.calls.thread[row]);
        for (const Row stretch : m_blocking.of(row)) {
            const BlockedCall& held = m_blocking.calls[stretch];
            const Ns inside = length(common({held.start, held.end}, range));
            group.blocked += inside;
            group.held += m_waits != nullptr && m_waits->kind_of(stretch) == WaitKind::held ? inside : 0;
        }
    }
}

/// When each GPU whose work is to be told apart ran something while no kernel computed on it.
void Summariser::find_exposed(const std::stop_token& stop)
{
    const auto look = [&](const auto& groups) {
        for (const auto& [name, group] : groups) {
            for (const Row row : group.moving) {
                const std::uint32_t device = gpu_of(m_trace, row);
                if (!stop.stop_requested() && !m_exposed.contains(device)) {
                    auto times = gpu_times(m_trace, m_communicates, device, m_summary.range, stop);
                    m_exposed.emplace(device, Coverage(std::move(times.exposed)));
                }
            }
        }
    };
    look(m_named);
    look(m_moved);
    look(m_of_family);
}

Ns Summariser::exposed_of(const SummaryGroup& group) const
{
    Ns sum = 0;
    for (const Row row : group.moving) {
        const Interval span = span_of(m_trace, {EventTable::operations, row});
        sum += m_exposed.at(gpu_of(m_trace, row)).within(span);
    }
    return sum;
}

void Summariser::finish(std::string name, SummaryGroup& group)
{
    std::vector<Ns>& all = group.durations;
    SummaryRow row;
    row.name = std::move(name);
    row.count = all.size();
    row.bytes = group.bytes;
    row.longest = group.longest;
    if (m_families) {
        row.family = family_named(row.name);
    } else if (group.longest.table == EventTable::operations && !m_owners) {
        row.family = family_of(m_trace, group.longest.row);
    }
    for (const Ns duration : all) {
        row.total += duration;
    }
    row.own = row.total - group.inside;
    row.median = mean_of_middle(all);
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    row.min = *least;
    row.max = *most;
    if (m_summary.by == SummaryBy::api && group.blocked_known) {
        row.blocked = group.blocked;
        row.held = m_waits != nullptr ? MaybeNs(group.held) : std::nullopt;
    }
    if (!group.moving.empty()) {
        row.exposed = exposed_of(group);
    }
    m_summary.total += row.total;
    m_summary.own += row.own;
    m_summary.rows.push_back(std::move(row));
    all = {};
}

/// Each moment of a thread is that of the range which began last of those that are open: what lies in a range is no
/// time of that range itself, also where a step of PyTorch's profiler begins in a frame and outlasts it.
void Summariser::add_ranges(const std::stop_token& stop)
{
    struct Part {
        Row row;
        Interval of;
        Ns own = 0;
    };
    std::vector<std::vector<Part>> threads(m_trace.threads.size());
    for (Row row = 0; row < m_trace.ranges.size(); ++row) {
        if (row % rows_a_look == 0 && stop.stop_requested()) {
            return;
        }
        const EventRef event {EventTable::ranges, row};
        const auto part = is_counted(m_trace, SummaryBy::range, row)
            ? part_of(m_trace, event, m_summary.range, m_scope.counts)
            : std::nullopt;
        if (!part) {
            continue;
        }
        add(event, *part);
        if (const Row thread = m_trace.ranges[row].thread; thread != no_row) {
            threads[thread].push_back({row, *part});
        }
    }
    for (std::vector<Part>& parts : threads) {
        std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
            return a.of.start != b.of.start ? a.of.start < b.of.start : a.of.end > b.of.end;
        });
        std::vector<Part*> open;
        Ns at = 0;
        const auto advance = [&](Ns until) {
            while (!open.empty() && at < until) {
                const Ns end = std::min(open.back()->of.end, until);
                open.back()->own += std::max<Ns>(0, end - at);
                at = std::max(at, end);
                if (open.back()->of.end <= at) {
                    open.pop_back();
                }
            }
            at = until;
        };
        for (Part& part : parts) {
            advance(part.of.start);
            open.push_back(&part);
        }
        advance(std::numeric_limits<Ns>::max());
        for (const Part& part : parts) {
            m_named[m_trace.ranges[part.row].name].inside += part.of.end - part.of.start - part.own;
        }
    }
}

Summary Summariser::run(const std::stop_token& stop)
{
    const EventTable table = source_of(m_summary.by);
    const bool nests = m_summary.by == SummaryBy::range;
    if (nests) {
        add_ranges(stop);
    }
    for (Row row = 0; row < (nests ? 0 : size_of(m_trace, table)); ++row) {
        if (row % rows_a_look == 0 && stop.stop_requested()) {
            break;
        }
        if (is_counted(m_trace, m_summary.by, row)) {
            if (const auto part = part_of(m_trace, {table, row}, m_summary.range, m_scope.counts)) {
                add({table, row}, *part);
            }
        }
    }
    find_exposed(stop);
    if (stop.stop_requested()) {
        return {.by = m_summary.by, .range = m_summary.range};
    }
    for (auto& [name, group] : m_named) {
        finish(std::string(m_trace.text(name)), group);
    }
    for (auto& [key, group] : m_moved) {
        finish(copy_name(key), group);
    }
    for (auto& [family, group] : m_of_family) {
        finish(std::string(word_of(family)), group);
    }
    for (auto& [name, group] : m_owned) {
        finish(std::string(name), group);
    }
    std::sort(m_summary.rows.begin(), m_summary.rows.end(), [](const SummaryRow& a, const SummaryRow& b) {
        return a.own != b.own ? a.own > b.own : a.total != b.total ? a.total > b.total : a.name < b.name;
    });
    return std::move(m_summary);
}

}  // namespace

std::string_view name_of(SummaryBy by)
{
    constexpr std::array<std::string_view, summary_tables.size()> names {
        "kernel", "copy", "api", "range", "family", "owner", "module", "line"};
    return names[static_cast<std::size_t>(by)];
}

std::uint64_t Summary::count() const
{
    std::uint64_t sum = 0;
    for (const SummaryRow& row : rows) {
        sum += row.count;
    }
    return sum;
}

Summary summarise(const Recording& recording, SummaryBy by, const SummaryScope& scope, const std::stop_token& stop)
{
    return Summariser(recording, by, scope).run(stop);
}

SummaryPart part_in_row(const Recording& recording, SummaryBy by, std::string_view name, const SummaryScope& scope)
{
    const std::shared_ptr<const Trace> trace = recording.trace;
    const auto in_scope
        = [trace, range = range_of(recording, scope), counts = scope.counts](EventRef event) -> std::optional<Ns> {
        const auto part = part_of(*trace, event, range, counts);
        return part ? std::optional(part->end - part->start) : std::nullopt;
    };
    const auto counted
        = [trace, by](EventRef event) { return event.table == source_of(by) && is_counted(*trace, by, event.row); };
    if (by == SummaryBy::copy) {
        return [=, name = std::string(name)](EventRef event) {
            return counted(event) && copy_name(copy_key(*trace, event.row)) == name ? in_scope(event) : std::nullopt;
        };
    }
    if (by == SummaryBy::family) {
        const auto families = std::make_shared<const OperationFamilies>(*trace);
        return [=, family = family_named(name)](EventRef event) {
            return counted(event) && families->of(*trace, event.row) == family ? in_scope(event) : std::nullopt;
        };
    }
    if (is_by_owner(by)) {
        return [=, name = std::string(name), owners = owners_of(recording)](EventRef event) {
            return counted(event) && owner_name(*owners, owners->of(event.row), by) == name ? in_scope(event)
                                                                                            : std::nullopt;
        };
    }
    StringId id = 0;
    const auto names = static_cast<StringId>(trace->strings.size());
    while (id < names && trace->text(id) != name) {
        ++id;
    }
    return [=](EventRef event) {
        return id < names && counted(event) && name_id(*trace, by, event.row) == id ? in_scope(event) : std::nullopt;
    };
}

std::vector<Ns> durations_of(
    const Recording& recording, SummaryBy by, const SummaryPart& part, const std::stop_token& stop)
{
    std::vector<Ns> durations;
    const EventTable table = source_of(by);
    for (Row row = 0; row < size_of(*recording.trace, table); ++row) {
        if (row % rows_a_look == 0 && stop.stop_requested()) {
            return {};
        }
        if (const auto lasted = part({table, row})) {
            durations.push_back(*lasted);
        }
    }
    return durations;
}

}  // namespace lanes
