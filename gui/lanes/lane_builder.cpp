// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_builder.h"

#include "engine/analysis/blocking/beside_gpu.h"
#include "gui/lanes/family_role.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace lanes::gui {

namespace {

constexpr std::size_t stretch_operations = 2'000'000;
constexpr std::size_t most_stretches = 32;

/// The rows of a table by thread, in the table's order; `wanted(i)` says which. Those of no known thread are left out.
template <class ThreadOf, class Wanted>
std::vector<std::vector<Row>> byThread(std::size_t threads, std::size_t size, ThreadOf threadOf, Wanted wanted)
{
    std::vector<std::vector<Row>> rows(threads);
    for (std::size_t i = 0; i < size; ++i) {
        if (const Row thread = threadOf(i); thread != no_row && wanted(i)) {
            rows[thread].push_back(static_cast<Row>(i));
        }
    }
    return rows;
}

template <class T, class Wanted>
std::vector<std::vector<Row>> byThread(std::size_t threads, const std::vector<T>& table, Wanted wanted)
{
    return byThread(
        threads, table.size(), [&](std::size_t i) { return table[i].thread; }, wanted);
}

}  // namespace

LaneBuilder::LaneBuilder(RecordingPtr recording, CommunicationKernels communicates, Sources sources, Ns until,
    std::shared_ptr<const ShownEvents> shown, bool byFamily)
    : m_recording(std::move(recording))
    , m_streams(std::move(sources.streams))
    , m_threads(std::move(sources.threads))
    , m_gpus(std::move(sources.gpus))
    , m_gpuTimes(std::move(sources.gpuTimes))
    , m_communicates(std::move(communicates))
    , m_until(std::max<Ns>(until, 1))
    , m_shown(std::move(shown))
    , m_byFamily(byFamily)
    , m_gpuTables(m_gpuTimes.size())
    , m_stretches(m_streams.empty()
              ? 0
              : std::clamp<std::size_t>(trace().operations.size() / stretch_operations, 1, most_stretches))
    , m_partial(m_stretches)
{
}

std::size_t LaneBuilder::weight(std::size_t piece) const
{
    const Trace& t = trace();
    if (piece < m_streams.size()) {
        const Source& source = m_streams[piece];
        return source.engine ? t.operations.size() / m_streams.size() : t.operations_of(source.row).size();
    }
    if (piece == m_streams.size()) {
        return t.ranges.size() + t.host_spans.size() + t.reads.size() + t.calls.size()
            + m_recording->blocking->calls.size();
    }
    if (piece < m_streams.size() + 1 + m_stretches) {
        return t.operations.size() / m_stretches;
    }
    piece -= m_streams.size() + 1 + m_stretches;
    return piece < m_gpus.size()                    ? t.operations.size() / m_gpus.size()
        : piece < m_gpus.size() + m_gpuTimes.size() ? 2 * t.operations.size() / m_gpuTimes.size()
                                                    : t.operations.size() + t.calls.size();
}

std::size_t LaneBuilder::items() const
{
    return trace().operations.size() + weight(m_streams.size());
}

std::vector<LaneRows> LaneBuilder::make(std::size_t piece, const std::stop_token& stop)
{
    std::vector<LaneRows> made;
    if (piece < m_streams.size()) {
        made.push_back(makeStream(m_streams[piece], stop));
    } else if (piece == m_streams.size()) {
        made = makeThreads(stop);
    } else if (piece -= m_streams.size() + 1; piece < m_stretches) {
        made = makeStretch(piece, stop);
    } else if (piece -= m_stretches; piece < m_gpus.size()) {
        made.push_back(makeGpu(m_gpus[piece], stop));
    } else if (piece -= m_gpus.size(); piece < m_gpuTimes.size()) {
        made = makeGpuTimes(piece, stop);
    } else {
        made = sumUpShown(stop);
    }
    return stop.stop_requested() ? std::vector<LaneRows>() : std::move(made);
}

std::function<bool(Row)> LaneBuilder::shownOperations() const
{
    return m_shown->all() ? std::function<bool(Row)>() : [shown = m_shown](Row row) { return shown->operation(row); };
}

RoleColumn LaneBuilder::operationRoles()
{
    std::call_once(m_looked, [&] { m_kernelLooks = kernelLooks(trace(), m_byFamily); });
    return {trace().operations, m_kernelLooks};
}

LaneRows LaneBuilder::makeStream(const Source& source, const std::stop_token& stop)
{
    const RoleColumn roles = operationRoles();
    const OperationTable& operations = trace().operations;
    const RowSpan span = trace().operations_of(source.row);
    LaneRows made {source.lane, {}};
    if (source.engine || source.part != StreamPart::whole || !m_shown->all()) {
        const TimeColumn start(operations.start);
        const TimeColumn end(operations.end);
        for (auto& row : splitIntoRows(operationsOf(source, stop), start, end, stop)) {
            made.rows.emplace_back(ItemKind::operation, RowItems(start, end, roles, std::move(row)), stop);
        }
        made.busy = stop.stop_requested() ? LaneBusy() : LaneBusy(made.rows);
        return made;
    }
    for (RowItems& items :
        rowsOf(TimeColumn(operations.start), TimeColumn(operations.end), roles, span.begin, span.end, stop)) {
        made.rows.emplace_back(ItemKind::operation, std::move(items), stop);
    }
    if (!stop.stop_requested()) {
        made.busy = LaneBusy(made.rows);
    }
    return made;
}

std::vector<Row> LaneBuilder::operationsOf(const Source& source, const std::stop_token& stop) const
{
    constexpr Row slice = 1U << 15U;
    const Trace& t = trace();
    std::vector<Row> operations;
    for (Row stream = source.engine ? 0 : source.row; stream < (source.engine ? t.streams.size() : source.row + 1);
         ++stream) {
        if (source.engine && t.streams[stream].device != source.row) {
            continue;
        }
        const RowSpan span = t.operations_of(stream);
        for (Row row = span.begin; row < span.end; ++row) {
            if (row % slice == 0 && stop.stop_requested()) {
                return {};
            }
            if ((!source.engine || engineOf(t.operations.kind[row]) == *source.engine)
                && (source.part == StreamPart::whole || partOf(t, m_communicates, row) == source.part)
                && m_shown->operation(row)) {
                operations.push_back(row);
            }
        }
    }
    return operations;
}

LaneRows LaneBuilder::makeGpu(const Source& source, const std::stop_token& stop) const
{
    LaneRows made {source.lane, {}};
    OverlapLevels levels = OverlapSweep(trace(), source.row, shownOperations()).levels({0, m_until}, stop);
    levels[0].shrink_to_fit();
    made.gpuBusy.emplace(std::move(levels[0]));
    return made;
}

/// Of all operations, whatever a filter lets through: what is exposed does not depend on what is looked at.
std::vector<LaneRows> LaneBuilder::makeGpuTimes(std::size_t gpu, const std::stop_token& stop)
{
    const Source& source = m_gpuTimes[gpu];
    GpuTable& table = m_gpuTables[gpu];
    table.times = gpu_times(trace(), m_communicates, source.row, {0, m_until}, stop);
    std::vector<LaneRows> made;
    const auto rowOf = [&](IntervalSet& set, ItemRole role) {
        set.shrink_to_fit();
        return LaneRow(ItemKind::gpuTime,
            RowItems(TimeColumn(set, &Interval::start), TimeColumn(set, &Interval::end), role, 0, set.size()), stop);
    };
    std::vector<const Source*> marking;
    for (const Source& stream : m_streams) {
        if (stream.marksExposed && trace().streams[stream.row].device == source.row) {
            marking.push_back(&stream);
        }
    }
    table.exposed.resize(marking.size());  // rows refer to its sets
    for (std::size_t i = 0; i < marking.size() && !stop.stop_requested(); ++i) {
        std::vector<Interval> busy;
        for (const Row row : operationsOf(*marking[i], stop)) {
            busy.push_back({trace().operations.start[row], trace().operations.end[row]});
        }
        table.exposed[i] = intersect(unite(std::move(busy)), table.times.exposed);
        made.push_back({marking[i]->lane, {}});
        made.back().exposed = std::make_shared<const LaneRow>(rowOf(table.exposed[i], ItemRole::exposed));
    }
    LaneRows& graph = made.emplace_back(LaneRows {source.lane, {}});
    graph.rows.push_back(rowOf(table.times.side_by_side, ItemRole::sideBySide));
    graph.rows.push_back(rowOf(table.times.compute_alone, ItemRole::computeAlone));
    graph.rows.push_back(rowOf(table.times.exposed, ItemRole::exposedTime));
    return made;
}

std::vector<LaneRows> LaneBuilder::sumUpShown(const std::stop_token& stop) const
{
    RangeIndex::Kept kept;
    kept.operations.reserve(trace().operations.size());
    for (Row row = 0; row < trace().operations.size(); ++row) {
        kept.operations.push_back(m_shown->operation(row));
    }
    kept.calls.resize(trace().calls.size());
    for (const BlockedCall& blocked : m_recording->blocking->calls) {
        kept.calls[blocked.call] = m_shown->call(blocked.call);
    }
    std::vector<LaneRows> made;
    try {
        auto sums = std::make_shared<const RangeIndex>(*m_recording->ranges, std::move(kept), Progress(stop));
        made.push_back({0, {}, {}, {}, std::move(sums)});
    } catch (const Cancelled&) {
        made.clear();  // nobody waits for it
    }
    return made;
}

std::vector<LaneRows> LaneBuilder::makeThreads(const std::stop_token& stop)
{
    const Trace& t = trace();
    const auto& blocked = m_recording->blocking->calls;
    for (const HostSpan& span : t.host_spans) {
        const bool works = span.type == HostSpanRecord::work || span.type == HostSpanRecord::staging;
        m_hostRoles.push_back(works ? ItemRole::hostWork : ItemRole::hostWait);
    }
    const RangeKinds kinds(t);
    for (Row row = 0; row < t.ranges.size(); ++row) {
        m_rangeRoles.push_back(kinds.of(row) == RangeKind::torch_operator ? ItemRole::torchOperator : ItemRole::range);
    }
    for (const Read& read : t.reads) {
        m_readRoles.push_back(read.wrong_bytes > 0 ? ItemRole::staleRead : ItemRole::read);
    }
    const std::size_t threads = t.threads.size();
    auto ranges = byThread(threads, t.ranges, [&](std::size_t i) { return m_shown->range(static_cast<Row>(i)); });
    auto spans = byThread(threads, t.host_spans, [&](std::size_t i) { return m_shown->hostSpan(static_cast<Row>(i)); });
    auto reads = byThread(threads, t.reads, [&](std::size_t i) { return m_shown->read(static_cast<Row>(i)); });
    auto calls = byThread(
        threads, t.calls.size(), [&](std::size_t i) { return t.calls.thread[i]; },
        [&](std::size_t i) { return t.calls.outer[i] == no_row && m_shown->call(static_cast<Row>(i)); });
    std::array<std::vector<std::vector<Row>>, wait_roles.size()> waitsOf;
    std::transform(wait_roles.begin(), wait_roles.end(), waitsOf.begin(), [&](ItemRole role) {
        return byThread(
            threads, blocked.size(), [&](std::size_t i) { return t.calls.thread[blocked[i].call]; },
            [&](std::size_t i) {
                return m_shown->call(blocked[i].call) && waitRole(*m_recording, static_cast<Row>(i)) == role;
            });
    });
    std::vector<LaneRows> made;
    for (const Source& source : m_threads) {
        const Row thread = source.row;
        std::vector<LaneRow> rows;
        const auto add
            = [&](ItemKind kind, std::vector<Row>& places, TimeColumn start, TimeColumn end, const RoleColumn& role) {
                  for (auto& row : splitIntoRows(std::exchange(places, {}), start, end, stop)) {
                      rows.emplace_back(kind, RowItems(start, end, role, std::move(row)), stop);
                  }
              };
        std::vector<LaneRow> folded = addRanges(rows, std::exchange(ranges[thread], {}), kinds, stop);
        add(ItemKind::hostSpan, spans[thread], {t.host_spans, &HostSpan::start}, {t.host_spans, &HostSpan::end},
            RoleColumn(m_hostRoles));
        add(ItemKind::read, reads[thread], {t.reads, &Read::start}, {t.reads, &Read::end}, RoleColumn(m_readRoles));
        const std::size_t firstCalls = rows.size();
        add(ItemKind::call, calls[thread], TimeColumn(t.calls.start), TimeColumn(t.calls.end), ItemRole::call);
        // Calls of one thread do not overlap, so its waits lie over one row of calls.
        const std::size_t before = rows.size();
        for (std::size_t i = 0; i < wait_roles.size() && !stop.stop_requested(); ++i) {
            add(ItemKind::blocked, waitsOf[i][thread], {blocked, &BlockedCall::start}, {blocked, &BlockedCall::end},
                wait_roles[i]);
        }
        for (std::size_t i = before; i < rows.size(); ++i) {
            rows[i].overlay = true;
            addCosts(rows[i]);
        }
        std::rotate(rows.begin() + static_cast<std::ptrdiff_t>(std::min(firstCalls + 1, before)),
            rows.begin() + static_cast<std::ptrdiff_t>(before), rows.end());
        std::move(folded.begin(), folded.end(), std::back_inserter(rows));
        made.push_back({source.lane, std::move(rows)});
    }
    return made;
}

/// Adds the rows of all depths. Returns those of a folded stack, where it is worth folding.
std::vector<LaneRow> LaneBuilder::addRanges(
    std::vector<LaneRow>& rows, std::vector<Row> ranges, const RangeKinds& kinds, const std::stop_token& stop) const
{
    const TimeColumn start(trace().ranges, &Range::start);
    const TimeColumn end(trace().ranges, &Range::end);
    const RoleColumn roles(m_rangeRoles);
    const auto before = [&](Row a, Row b) { return start[a] != start[b] ? start[a] < start[b] : end[a] > end[b]; };
    std::stable_sort(ranges.begin(), ranges.end(), before);
    const std::vector<StackLevel> levels = stackLevels(ranges, start, end, [&](Row row) { return kinds.of(row); });
    const auto levelOf = [&](Row range) {
        const auto at = std::find(std::lower_bound(ranges.begin(), ranges.end(), range, before), ranges.end(), range);
        return levels[static_cast<std::size_t>(at - ranges.begin())];
    };
    const auto shadeOf = [](StackLevel of) {
        constexpr std::uint16_t deepest = 2;
        return static_cast<std::uint8_t>(of.part == StackPart::torchOperator ? std::min(of.level, deepest) : 0);
    };
    // Samples do not nest with the others: their row is below these.
    std::vector<Row> nested, samples;
    for (const Row range : ranges) {
        (kinds.is_sampled(range) ? samples : nested).push_back(range);
    }
    auto depths = splitIntoRows(nested, start, end, stop);
    for (std::vector<Row>& row : splitIntoRows(samples, start, end, stop)) {
        depths.push_back(std::move(row));
    }
    const bool folds = depths.size() > most_stack_rows
        || std::any_of(ranges.begin(), ranges.end(), [&](Row range) { return kinds.is_frame(range); });
    for (std::vector<Row>& row : depths) {
        const auto first = std::find_if(
            row.begin(), row.end(), [&](Row range) { return m_rangeRoles[range] == ItemRole::torchOperator; });
        const std::uint8_t shade = first == row.end() ? 0 : shadeOf(levelOf(*first));
        rows.emplace_back(ItemKind::range, RowItems(start, end, roles, std::move(row)), stop);
        rows.back().shade = shade;
    }
    std::map<std::pair<StackPart, std::uint16_t>, std::vector<Row>> byLevel;
    for (std::size_t i = 0; folds && i < ranges.size(); ++i) {
        if (levels[i].part != StackPart::plumbing) {
            byLevel[{levels[i].part, levels[i].level}].push_back(ranges[i]);
        }
    }
    std::vector<LaneRow> folded;
    for (auto& [level, row] : byLevel) {
        folded.emplace_back(ItemKind::range, RowItems(start, end, roles, std::move(row)), stop);
        folded.back().level = StackLevel {level.first, level.second};
        folded.back().shade = shadeOf(*folded.back().level);
    }
    return folded;
}

void LaneBuilder::addCosts(LaneRow& row) const
{
    if (row.index.onlyRole() != ItemRole::held) {
        return;
    }
    row.costs.reserve(row.items.size() + 1);
    row.costs.push_back(0);
    for (std::size_t i = 0; i < row.items.size(); ++i) {
        row.costs.push_back(row.costs.back() + heldCost(*m_recording, row.items.place(i)));
    }
}

std::vector<LaneRows> LaneBuilder::makeStretch(std::size_t stretch, const std::stop_token& stop)
{
    std::call_once(m_swept, [this] {
        m_sweep.emplace(trace(), std::nullopt, shownOperations());
        m_ranges = m_sweep->stretches(m_until, m_stretches);
    });
    if (stretch < m_ranges.size() && !m_sweep->is_one_stream()) {
        m_partial[stretch] = m_sweep->levels(m_ranges[stretch], stop);
    }
    return ++m_done == m_stretches ? makeRibbon(stop) : std::vector<LaneRows>();
}

std::vector<LaneRows> LaneBuilder::makeRibbon(const std::stop_token& stop)
{
    for (OverlapLevels& next : m_partial) {
        OverlapSweep::append(m_levels, std::move(next));
    }
    const bool oneStream = m_sweep->is_one_stream();
    m_sweep.reset();
    constexpr std::array roles {ItemRole::overlap1, ItemRole::overlap2, ItemRole::overlap3};
    LaneRows made {0, {}};
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        IntervalSet& set = m_levels[i];
        set.shrink_to_fit();
        const OperationTable& operations = trace().operations;
        RowItems items = oneStream && i == 0  // its operations are the intervals
            ? RowItems(TimeColumn(operations.start), TimeColumn(operations.end), roles[i], 0, operations.size())
            : RowItems(TimeColumn(set, &Interval::start), TimeColumn(set, &Interval::end), roles[i], 0, set.size());
        made.rows.emplace_back(ItemKind::overlap, std::move(items), stop);
        made.rows.back().overlay = i > 0;
    }
    if (oneStream) {
        const OperationTable& operations = trace().operations;
        std::vector<Interval> busy;
        busy.reserve(operations.size());
        for (std::size_t i = 0; i < operations.size(); ++i) {
            busy.push_back({operations.start[i], operations.end[i]});
        }
        addBand(made.rows, unite(std::move(busy)), stop);
    } else {
        addBand(made.rows, m_levels[0], stop);
    }
    std::vector<LaneRows> all;
    all.push_back(std::move(made));
    return all;
}

/// What the first thread does while a GPU works, where the recording can tell: rows in one place, its waits for
/// the GPU hatched over the rest; each wait has the look that it has on the thread's lane.
void LaneBuilder::addBand(std::vector<LaneRow>& rows, const IntervalSet& busy, const std::stop_token& stop)
{
    const Report* report = m_recording->report.get();
    if (report == nullptr || !report->cpu_free || stop.stop_requested()) {
        return;
    }
    BesideGpu beside = beside_gpu(trace(), *m_recording->blocking, report->first_thread()->thread, busy);
    std::vector<std::pair<Interval, ItemRole>> others;
    others.reserve(beside.free.size() + beside.working.size() + beside.waiting.size());
    for (const auto& [set, role] : {std::pair(&beside.free, ItemRole::cpuFree),
             std::pair(&beside.working, ItemRole::cpuWorking), std::pair(&beside.waiting, ItemRole::hostWait)}) {
        for (const Interval& interval : *set) {
            others.emplace_back(interval, role);
        }
    }
    std::sort(others.begin(), others.end(), [](const auto& a, const auto& b) { return a.first.start < b.first.start; });
    m_free.reserve(others.size());
    m_freeRoles.reserve(others.size());
    for (const auto& [interval, role] : others) {
        m_free.push_back(interval);
        m_freeRoles.push_back(role);
    }
    rows.emplace_back(ItemKind::band,
        RowItems(TimeColumn(m_free, &Interval::start), TimeColumn(m_free, &Interval::end), RoleColumn(m_freeRoles), 0,
            m_free.size()),
        stop);
    const auto& blocked = m_recording->blocking->calls;
    std::array<std::vector<Interval>, wait_roles.size()> waits;
    for (std::size_t i = 0; i < blocked.size(); ++i) {
        if (trace().calls.thread[blocked[i].call] == report->first_thread()->thread) {
            const ItemRole role = waitRole(*m_recording, static_cast<Row>(i));
            const auto at = std::find(wait_roles.begin(), wait_roles.end(), role);
            waits[static_cast<std::size_t>(at - wait_roles.begin())].push_back({blocked[i].start, blocked[i].end});
        }
    }
    for (std::size_t i = 0; i < wait_roles.size(); ++i) {
        m_waits[i] = intersect(beside.held, unite(std::move(waits[i])));
        if (!m_waits[i].empty()) {
            rows.emplace_back(ItemKind::band,
                RowItems(TimeColumn(m_waits[i], &Interval::start), TimeColumn(m_waits[i], &Interval::end),
                    wait_roles[i], 0, m_waits[i].size()),
                stop);
            rows.back().overlay = true;
        }
    }
}

std::size_t LaneBuilder::bytes() const
{
    std::size_t sum
        = m_rangeRoles.capacity() + m_hostRoles.capacity() + m_readRoles.capacity() + m_kernelLooks.capacity();
    for (const IntervalSet& set : m_levels) {
        sum += set.capacity() * sizeof(Interval);
    }
    for (const IntervalSet& set : m_waits) {
        sum += set.capacity() * sizeof(Interval);
    }
    for (const GpuTable& table : m_gpuTables) {
        for (const IntervalSet* set : {&table.times.side_by_side, &table.times.compute_alone, &table.times.exposed}) {
            sum += set->capacity() * sizeof(Interval);
        }
        for (const IntervalSet& set : table.exposed) {
            sum += set.capacity() * sizeof(Interval);
        }
    }
    sum += m_free.capacity() * sizeof(Interval) + m_freeRoles.capacity() + m_communicates.bytes();
    return sum;
}

}  // namespace lanes::gui
