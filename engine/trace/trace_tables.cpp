// SPDX-License-Identifier: MIT
// The tables of a Trace out of the records that TraceAssembly kept.
#include "engine/trace/demangle.h"
#include "engine/trace/kernel_name.h"
#include "engine/trace/large_vector.h"
#include "engine/trace/shared_details.h"
#include "engine/trace/trace_assembly.h"

#include <algorithm>
#include <numeric>

namespace lanes {

namespace {

template <class T> void sort_by_time(std::vector<T>& table)
{
    const auto earlier = [](const T& a, const T& b) {
        if constexpr (requires { a.end; }) {
            return a.start != b.start ? a.start < b.start : a.end < b.end;
        } else if constexpr (requires { a.start; }) {
            return a.start < b.start;
        } else {
            return a.time < b.time;
        }
    };
    if (!std::is_sorted(table.begin(), table.end(), earlier)) {
        std::stable_sort(table.begin(), table.end(), earlier);
    }
}

OperationKind kind_of(const CopyRecord& copy)
{
    const auto on_host = [](MemoryKind kind) { return kind == MemoryKind::pageable || kind == MemoryKind::pinned; };
    switch (copy.copy) {
    case CopyKind::h2d:
    case CopyKind::h2a:
        return OperationKind::h2d;
    case CopyKind::d2h:
    case CopyKind::a2h:
        return OperationKind::d2h;
    case CopyKind::h2h:
        return OperationKind::h2h;
    case CopyKind::p2p:
        return OperationKind::p2p;
    case CopyKind::unknown:
        if (on_host(copy.source)) {
            return on_host(copy.target) ? OperationKind::h2h : OperationKind::h2d;
        }
        return on_host(copy.target) ? OperationKind::d2h : OperationKind::d2d;
    default:
        return OperationKind::d2d;
    }
}

std::string_view shown_name(OperationKind kind)
{
    switch (kind) {
    case OperationKind::h2d:
        return "Memcpy HtoD";
    case OperationKind::d2h:
        return "Memcpy DtoH";
    case OperationKind::d2d:
        return "Memcpy DtoD";
    case OperationKind::p2p:
        return "Memcpy PtoP";
    case OperationKind::h2h:
        return "Memcpy HtoH";
    case OperationKind::memset:
        return "Memset";
    default:
        return "";
    }
}

SyncRecord::Type type_of(std::string_view call, SyncRecord::Type recorded)
{
    struct Known {
        std::string_view name;
        SyncRecord::Type type;
    };
    static constexpr std::array<Known, 10> known {{
        {"cudaDeviceSynchronize", SyncRecord::context_sync},
        {"cuCtxSynchronize", SyncRecord::context_sync},
        {"cudaStreamSynchronize", SyncRecord::stream_sync},
        {"cuStreamSynchronize", SyncRecord::stream_sync},
        {"cudaEventSynchronize", SyncRecord::event},
        {"cuEventSynchronize", SyncRecord::event},
        {"cudaStreamWaitEvent", SyncRecord::stream_wait_event},
        {"cuStreamWaitEvent", SyncRecord::stream_wait_event},
        {"cudaEventQuery", SyncRecord::unknown},  // it asks, it does not wait
        {"cuEventQuery", SyncRecord::unknown},
    }};
    const auto* found
        = std::find_if(known.begin(), known.end(), [&](const Known& k) { return call.starts_with(k.name); });
    return found == known.end() ? recorded : found->type;
}

}  // namespace

void TraceAssembly::make_devices()
{
    std::map<std::uint32_t, Device> devices;
    for (const auto& r : m_records.of<DeviceRecord>()) {
        devices[r.device] = {r.device, r.name, r.uuid, r.multiprocessors, r.copy_engines, r.compute_major,
            r.compute_minor, r.core_clock_khz, r.memory_bytes, r.memory_bandwidth, r.pci};
    }
    const auto see = [&](std::uint32_t id) {
        Device unnamed {};
        unnamed.id = id;
        devices.try_emplace(id, unnamed);
    };
    for (const auto& stream : m_trace.streams) {
        see(stream.device);
    }
    for (const auto& record : m_records.of<CounterRecord>()) {
        if (record.device != no_id) {
            see(record.device);
        }
    }
    for (const auto& [id, device] : devices) {
        m_trace.devices.push_back(device);
    }
}

void TraceAssembly::make_calls()
{
    auto& records = m_records.of<ApiCallRecord>();
    auto& calls = m_trace.calls;
    const auto size = records.size();
    reserve_large(calls.start, size);
    reserve_large(calls.end, size);
    reserve_large(calls.thread, size);
    reserve_large(calls.name, size);
    reserve_large(calls.correlation, size);
    reserve_large(calls.result, size);
    reserve_large(calls.api, size);
    reserve_large(calls.outer, size);
    reserve_large(calls.step, size);
    calls.step.assign(size, no_id);
    for (Row row = 0; row < size; ++row) {
        const auto& r = records[row];
        calls.start.push_back(r.start - m_origin);
        calls.end.push_back(r.end - m_origin);
        calls.thread.push_back(m_threads.row(r.process, r.thread));
        calls.name.push_back(r.name);
        calls.correlation.push_back(r.correlation);
        calls.result.push_back(r.result);
        calls.api.push_back(r.api == ApiCallRecord::driver ? ApiCallRecord::driver : ApiCallRecord::runtime);
        calls.outer.push_back(m_outermost[row] == row ? no_row : m_outermost[row]);
    }
    release(records);
}

void TraceAssembly::make_steps()
{
    auto& records = m_records.of<StepRecord>();
    reserve_large(m_trace.steps, records.size());
    for (const auto& r : records) {
        m_trace.steps.push_back({r.start - m_origin, m_threads.row(r.process, r.thread), r.step, r.instruction});
    }
    release(records);
    sort_by_time(m_trace.steps);
    std::vector<std::uint32_t> current(m_trace.threads.size(), no_id);
    auto next = m_trace.steps.begin();
    for (Row row = 0; row < m_trace.calls.size(); ++row) {
        for (; next != m_trace.steps.end() && next->start <= m_trace.calls.start[row]; ++next) {
            if (next->thread != no_row) {
                current[next->thread] = next->step;
            }
        }
        if (const auto thread = m_trace.calls.thread[row]; thread != no_row) {
            m_trace.calls.step[row] = current[thread];
        }
    }
}

/// Of a name of StringTable that is not "".
const TraceAssembly::KernelName& TraceAssembly::texts_of(StringId recorded)
{
    if (recorded >= m_kernel_names.size()) {
        m_kernel_names.resize(m_trace.strings.size());
    }
    auto& known = m_kernel_names[recorded];
    if (known.full == 0) {
        auto plain = demangled(m_trace.text(recorded));
        const std::string full = plain ? *std::move(plain) : std::string(m_trace.text(recorded));
        known = {m_trace.strings.intern(full), m_trace.strings.intern(short_kernel_name(full)),
            m_trace.strings.intern(bare_kernel_name(full))};
    }
    return known;
}

StringId TraceAssembly::kernel_name(Row call, const KernelRecord& record)
{
    const auto step = call == no_row ? no_id : m_trace.calls.step[call];
    if (m_graph_names.concerns(step)) {
        if (const auto name = m_graph_names.name(step, record.graph_node); !name.empty()) {
            return m_trace.strings.intern(name);
        }
    } else if (step < m_records.step_names.size() && !m_records.step_names[step].empty()) {
        m_step_names.resize(m_records.step_names.size());
        auto& known = m_step_names[step];
        known = known != 0 ? known : m_trace.strings.intern(m_records.step_names[step]);
        return known;
    }
    if (record.name == 0 || record.name >= m_trace.strings.size()) {
        return record.shown_name;
    }
    const auto& known = texts_of(record.name);
    // Nsight's exports name a kernel without its template arguments; another name was given by somebody.
    const auto shown = record.shown_name;
    return shown == 0 || shown == record.name || shown == known.bare ? known.brief : shown;
}

void TraceAssembly::name_graph_nodes()
{
    m_graph_names = GraphNames(m_records.step_names);
    if (m_graph_names.empty()) {
        return;
    }
    for (const auto& r : m_records.of<KernelRecord>()) {
        const auto call = call_of(r.process, r.correlation);
        if (call != no_row && m_graph_names.concerns(m_trace.calls.step[call])) {
            m_graph_names.see(m_trace.calls.step[call], r.graph_node);
        }
    }
    m_graph_names.finish();
}

/// By stream, then start, then end; of equals kernels come first, then copies, each in the order of their records.
std::vector<TraceAssembly::Timed> TraceAssembly::sorted_operations()
{
    // Records come sorted or nearly so for each kind: dealt out to the streams they need no more than merging.
    constexpr std::size_t kinds = 3;
    const auto each = [this](auto take) {
        const auto of = [&]<class R>(std::size_t kind, const std::vector<R>& records) {
            for (std::uint32_t i = 0; i < records.size(); ++i) {
                const auto& r = records[i];
                take(m_streams.row(r.process, r.device, r.context, r.stream) * kinds + kind,
                    Timed {r.start, r.end, i, R::kind});
            }
        };
        of(0, m_records.of<KernelRecord>());
        of(1, m_records.of<CopyRecord>());
        of(2, m_records.of<MemsetRecord>());
    };
    std::vector<std::size_t> bounds(m_trace.streams.size() * kinds + 1);
    each([&](std::size_t pile, const Timed&) { ++bounds[pile + 1]; });
    std::partial_sum(bounds.begin(), bounds.end(), bounds.begin());
    std::vector<Timed> order;
    reserve_large(order, bounds.back());
    order.resize(bounds.back());
    auto free = bounds;
    each([&](std::size_t pile, const Timed& at) { order[free[pile]++] = at; });

    const auto earlier
        = [](const Timed& a, const Timed& b) { return a.start != b.start ? a.start < b.start : a.end < b.end; };
    const auto place = [&](std::size_t pile) { return order.begin() + static_cast<std::ptrdiff_t>(bounds[pile]); };
    for (std::size_t pile = 0; pile + 1 < bounds.size(); ++pile) {
        if (!std::is_sorted(place(pile), place(pile + 1), earlier)) {
            std::stable_sort(place(pile), place(pile + 1), earlier);
        }
        if (pile % kinds != 0) {
            const auto first = pile - pile % kinds;
            std::inplace_merge(place(first), place(pile), place(pile + 1), earlier);
        }
    }
    return order;
}

void TraceAssembly::make_operations()
{
    auto& kernels = m_records.of<KernelRecord>();
    auto& copies = m_records.of<CopyRecord>();
    auto& memsets = m_records.of<MemsetRecord>();
    const auto order = sorted_operations();
    name_graph_nodes();
    auto& table = m_trace.operations;
    reserve_large(table.start, order.size());
    reserve_large(table.end, order.size());
    reserve_large(table.stream, order.size());
    reserve_large(table.name, order.size());
    reserve_large(table.correlation, order.size());
    reserve_large(table.call, order.size());
    reserve_large(table.detail, order.size());
    reserve_large(table.kind, order.size());
    reserve_large(m_trace.copies, copies.size());
    reserve_large(m_trace.memsets, memsets.size());
    SharedDetails details(m_trace.kernels);
    std::array<StringId, 7> fixed_names {};
    const auto says_async = [this](Row call) {
        return call != no_row && m_trace.text(m_trace.calls.name[call]).find("Async") != std::string_view::npos;
    };
    const auto add = [&](const OperationRecord& r, OperationKind kind, std::size_t detail) {
        const auto call = call_of(r.process, r.correlation);
        auto& name = fixed_names[static_cast<std::size_t>(kind)];
        if (name == 0 && kind != OperationKind::kernel) {
            name = m_trace.strings.intern(shown_name(kind));
        }
        table.start.push_back(r.start - m_origin);
        table.end.push_back(r.end - m_origin);
        table.stream.push_back(m_streams.row(r.process, r.device, r.context, r.stream));
        table.name.push_back(name);
        table.correlation.push_back(r.correlation);
        table.call.push_back(call);
        table.detail.push_back(static_cast<Row>(detail));
        table.kind.push_back(kind);
        return call;
    };
    for (const auto& at : order) {
        if (table.size() % 65536 == 0) {
            m_progress.report(0.65 + 0.3 * static_cast<double>(table.size()) / static_cast<double>(order.size()));
        }
        if (at.kind == RecordKind::kernel) {
            const auto& r = kernels[at.index];
            const auto full = r.name == 0 || r.name >= m_trace.strings.size() ? r.name : texts_of(r.name).full;
            const auto call = add(r, OperationKind::kernel,
                details.row_of({full, {r.grid[0], r.grid[1], r.grid[2]}, {r.block[0], r.block[1], r.block[2]},
                    r.registers, r.static_shared, r.dynamic_shared, r.graph_node, r.channel}));
            table.name.back() = kernel_name(call, r);
        } else if (at.kind == RecordKind::memset) {
            const auto& r = memsets[at.index];
            const auto call = add(r, OperationKind::memset, m_trace.memsets.size());
            m_trace.memsets.push_back(
                {r.bytes, r.value, r.target, r.async != 0 || says_async(call), r.graph_node, r.channel});
        } else {
            const auto& r = copies[at.index];
            const auto call = add(r, kind_of(r), m_trace.copies.size());
            m_trace.copies.push_back({r.bytes, r.source, r.target, r.copy, r.async != 0 || says_async(call),
                r.source_device, r.target_device, r.graph_node, r.channel});
        }
    }
    m_trace.kernels.shrink_to_fit();
    release(kernels);
    release(copies);
    release(memsets);
}

void TraceAssembly::make_syncs()
{
    auto& records = m_records.of<SyncRecord>();
    reserve_large(m_trace.syncs, records.size());
    for (const auto& r : records) {
        const auto call = call_of(r.process, r.correlation);
        const auto stream = r.stream == no_id ? no_row : m_streams.row(r.process, no_id, r.context, r.stream);
        const auto type = call == no_row ? r.type : type_of(m_trace.text(m_trace.calls.name[call]), r.type);
        m_trace.syncs.push_back(
            {r.start - m_origin, r.end - m_origin, call, stream, r.process, r.context, r.event_id, r.event_sync, type});
    }
    release(records);
    sort_by_time(m_trace.syncs);
}

void TraceAssembly::make_events()
{
    auto& records = m_records.of<EventRecord>();
    reserve_large(m_trace.events, records.size());
    for (const auto& r : records) {
        const auto call = call_of(r.process, r.correlation);
        const Ns device_time = r.device_time == 0 ? -1 : r.device_time - m_origin;
        const Ns time = call != no_row ? m_trace.calls.start[call] : std::max(device_time, Ns {0});
        m_trace.events.push_back({time, device_time, call, m_streams.row(r.process, r.device, r.context, r.stream),
            r.event_id, r.event_sync});
    }
    release(records);
    sort_by_time(m_trace.events);
}

void TraceAssembly::sort_ranges()
{
    auto& ranges = m_trace.ranges;
    if (m_records.of<AutogradRecord>().empty()) {
        sort_by_time(ranges);
        return;
    }
    std::vector<Row> order(ranges.size());
    std::iota(order.begin(), order.end(), Row {0});
    const auto earlier = [&](Row a, Row b) {
        return ranges[a].start != ranges[b].start ? ranges[a].start < ranges[b].start : ranges[a].end < ranges[b].end;
    };
    if (!std::is_sorted(order.begin(), order.end(), earlier)) {
        std::stable_sort(order.begin(), order.end(), earlier);
        std::vector<Range> sorted;
        reserve_large(sorted, ranges.size());
        for (const auto row : order) {
            sorted.push_back(ranges[row]);
        }
        ranges = std::move(sorted);
    }
    reserve_large(m_range_rows, order.size());
    m_range_rows.resize(order.size());
    for (Row row = 0; row < order.size(); ++row) {
        m_range_rows[order[row]] = row;
    }
}

void TraceAssembly::join_ranges()
{
    auto& ranges = m_trace.ranges;
    std::unordered_map<ProcessId, std::size_t, ProcessIdHash> begun;  // by process and the range's id
    auto& records = m_records.of<RangeRecord>();
    const bool with_ids = !m_records.of<AutogradRecord>().empty();
    reserve_large(ranges, records.size() / 2 + 1);
    reserve_large(m_range_ids, with_ids ? records.size() / 2 + 1 : 0);
    const auto close = [this](Range& range, const RangeRecord& r) {
        range.end = std::max(range.start, r.time - m_origin);
        range.open = false;
    };
    // Readers of files write both edges of a range in succession: these need no look-up.
    const auto ends_last = [&](std::size_t i) {
        return i > 0 && records[i].edge == RangeRecord::finish && records[i - 1].edge == RangeRecord::begin
            && records[i - 1].id == records[i].id && records[i - 1].process == records[i].process;
    };
    bool all_known = true;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto& r = records[i];
        if (r.edge == RangeRecord::finish) {
            if (ends_last(i)) {
                close(ranges.back(), r);
            } else {
                all_known = false;
            }
            continue;
        }
        const bool mark = r.edge == RangeRecord::mark;
        if (!mark && (i + 1 == records.size() || !ends_last(i + 1))) {
            begun.insert_or_assign({r.process, r.id}, ranges.size());
        }
        const auto start = r.time - m_origin;
        ranges.push_back({start, mark ? start : m_trace.duration, m_threads.row(r.process, r.thread), r.name, r.domain,
            r.color, 0, !mark, mark});
        if (with_ids) {
            m_range_ids.push_back({r.id, r.process, mark});
        }
    }
    for (std::size_t i = 0; i < records.size() && !all_known; ++i) {
        const auto& r = records[i];
        if (r.edge != RangeRecord::finish || ends_last(i)) {
            continue;
        }
        if (const auto found = begun.find({r.process, r.id}); found != begun.end()) {
            close(ranges[found->second], r);
        }
    }
    release(records);
}

void TraceAssembly::make_ranges()
{
    join_ranges();
    auto& ranges = m_trace.ranges;
    for (const auto& range : ranges) {
        m_trace.duration = std::max({m_trace.duration, range.start, range.open ? range.start : range.end});
    }
    for (auto& range : ranges) {
        range.end = range.open ? m_trace.duration : range.end;
    }
    sort_ranges();
    nest_ranges();
}

void TraceAssembly::nest_ranges()
{
    auto& ranges = m_trace.ranges;
    std::vector<Row> order(ranges.size());
    std::iota(order.begin(), order.end(), Row {0});
    const auto outside = [&](Row a, Row b) {
        return ranges[a].start != ranges[b].start ? ranges[a].start < ranges[b].start : ranges[a].end > ranges[b].end;
    };
    if (!std::is_sorted(order.begin(), order.end(), outside)) {
        std::stable_sort(order.begin(), order.end(), outside);
    }
    std::vector<std::vector<Ns>> open(m_trace.threads.size());
    for (const auto row : order) {
        auto& range = ranges[row];
        if (range.thread == no_row) {
            continue;
        }
        auto& ends = open[range.thread];
        while (!ends.empty() && ends.back() <= range.start) {
            ends.pop_back();
        }
        range.depth = static_cast<std::uint32_t>(ends.size());
        if (!range.mark) {
            ends.push_back(range.end);
        }
    }
}

void TraceAssembly::make_spans()
{
    for (const auto& r : m_records.of<HostSpanRecord>()) {
        m_trace.host_spans.push_back(
            {r.start - m_origin, r.end - m_origin, m_threads.row(r.process, r.thread), r.name, r.type});
    }
    for (const auto& r : m_records.of<ReadRecord>()) {
        m_trace.reads.push_back({r.start - m_origin, r.end - m_origin, m_threads.row(r.process, r.thread), r.buffer,
            r.bytes, r.wrong_bytes, r.expect_stale != 0});
    }
    for (const auto& r : m_records.of<ErrorRecord>()) {
        m_trace.errors.push_back({r.time - m_origin, m_threads.row(r.process, r.thread), r.step, r.code, r.message});
    }
    sort_by_time(m_trace.host_spans);
    sort_by_time(m_trace.reads);
    sort_by_time(m_trace.errors);
}

void TraceAssembly::make_host_functions()
{
    for (const auto& r : m_records.of<HostFunctionRecord>()) {
        const auto call = call_of(r.process, r.correlation);
        const bool timed = r.timed != 0;
        const Ns issued = timed ? 0 : m_trace.calls.start[call];
        m_trace.host_functions.push_back({timed ? r.start - m_origin : issued, timed ? r.end - m_origin : issued, call,
            m_streams.row(r.process, no_id, r.context, r.stream), timed});
    }
    sort_by_time(m_trace.host_functions);
}

void TraceAssembly::make_query_spins()
{
    auto& spins = m_trace.query_spins;
    for (const auto& r : m_records.of<QuerySpinRecord>()) {
        const auto call = call_of(r.process, r.correlation);
        spins.push_back({m_trace.calls.start[call], m_trace.calls.end[call], call, r.queries,
            r.succeeded <= QuerySpinRecord::ready ? r.succeeded : QuerySpinRecord::not_known});
    }
    std::stable_sort(
        spins.begin(), spins.end(), [](const QuerySpin& a, const QuerySpin& b) { return a.call < b.call; });
}

void TraceAssembly::make_overheads()
{
    auto& records = m_records.of<OverheadRecord>();
    reserve_large(m_trace.overheads, records.size());
    for (const auto& r : records) {
        const auto call = call_of(r.process, r.correlation);
        auto thread = m_threads.row(r.process, r.thread);
        if (thread == no_row && call != no_row) {
            thread = m_trace.calls.thread[call];
        }
        m_trace.overheads.push_back({r.start - m_origin, r.end - m_origin, thread, call, r.type});
    }
    release(records);
    sort_by_time(m_trace.overheads);
}

void TraceAssembly::make_memory()
{
    auto& records = m_records.of<MemoryRecord>();
    reserve_large(m_trace.memory, records.size());
    for (const auto& r : records) {
        const auto call = call_of(r.process, r.correlation);
        const auto stream = r.stream == no_id ? no_row : m_streams.row(r.process, r.device, r.context, r.stream);
        m_trace.memory.push_back({r.time - m_origin, r.address, r.bytes, call, stream, r.process, r.device, r.operation,
            r.memory, r.async != 0});
    }
    release(records);
    sort_by_time(m_trace.memory);
}

void TraceAssembly::measure()
{
    Ns last = 0;
    for (const auto end : m_trace.operations.end) {
        last = std::max(last, end);
    }
    for (const auto end : m_trace.calls.end) {
        last = std::max(last, end);
    }
    const auto ends = [&last](const auto& table) {
        for (const auto& item : table) {
            last = std::max(last, item.end);
        }
    };
    const auto times = [&last](const auto& table) {
        for (const auto& item : table) {
            last = std::max(last, item.time);
        }
    };
    ends(m_trace.syncs);
    ends(m_trace.host_spans);
    ends(m_trace.host_functions);
    ends(m_trace.reads);
    ends(m_trace.overheads);
    times(m_trace.events);
    times(m_trace.memory);
    times(m_trace.errors);
    for (const auto& step : m_trace.steps) {
        last = std::max(last, step.start);
    }
    for (const auto time : m_trace.samples.time) {
        last = std::max(last, time);
    }
    m_trace.duration = last;
}

}  // namespace lanes
