// SPDX-License-Identifier: MIT
// Makes the tables of a Trace from the records that TraceAssembly kept.
#include "engine/trace/large_vector.h"
#include "engine/trace/sampled_range.h"
#include "engine/trace/tables.h"
#include "engine/trace/trace_assembly.h"

#include <algorithm>
#include <cstdlib>
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
        {"cudaEventQuery", SyncRecord::unknown},  // it only asks and does not wait
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
    const auto make = [size](auto&... columns) { (..., reserve_large(columns, size)); };
    auto times = std::async(beside_from(size), [&] {
        make(calls.start, calls.end, calls.correlation, calls.result);
        for (const auto& r : records) {
            calls.start.push_back(r.start - m_origin);
            calls.end.push_back(r.end - m_origin);
            calls.correlation.push_back(r.correlation);
            calls.result.push_back(r.result);
        }
    });
    make(calls.thread, calls.name, calls.api, calls.outer, calls.step);
    calls.step.assign(size, no_id);
    for (Row row = 0; row < size; ++row) {
        const auto& r = records[row];
        calls.thread.push_back(m_threads.row(r.process, r.thread));
        calls.name.push_back(r.name);
        calls.api.push_back(r.api == ApiCallRecord::driver ? ApiCallRecord::driver : ApiCallRecord::runtime);
        calls.outer.push_back(m_outermost[row] == row ? no_row : m_outermost[row]);
    }
    times.get();
    release(records);
    release(m_outermost);
}

/// The value of a record for a column of its row.
template <class Record, class Column> auto TraceAssembly::cell_from(const Record& record, const Column& column) const
{
    const auto& recorded = record.*column.in_record;
    if constexpr (Column::kind == ColumnKind::time) {
        return recorded - m_origin;
    } else if constexpr (Column::template is_row_of<&Trace::threads>) {
        return m_threads.row(record.process, recorded);
    } else if constexpr (Column::template is_row_of<&Trace::calls>) {
        return call_of(record.process, recorded);
    } else if constexpr (Column::template is_row_of<&Trace::streams>) {
        std::uint32_t device = no_id;
        if constexpr (requires { record.device; }) {
            device = record.device;
        }
        return recorded == no_id ? no_row : m_streams.row(record.process, device, record.context, recorded);
    } else if constexpr (Column::kind == ColumnKind::flag) {
        return recorded != 0;
    } else {
        return recorded;
    }
}

/// A row for each record; `mend(row, record)` sets what the columns do not describe.
template <class Table> void TraceAssembly::make_rows(Table table, auto mend)
{
    auto& records = m_records.of<typename Table::Record>();
    auto& rows = m_trace.*Table::rows;
    reserve_large(rows, records.size());
    for (const auto& record : records) {
        auto& row = rows.emplace_back();
        for_each_column(table, [&]<class Column>(const Column& column) {
            if constexpr (Column::is_recorded) {
                row.*column.member = cell_from(record, column);
            }
        });
        mend(row, record);
    }
    release(records);
    sort_by_time(rows);
}
template <class Table> void TraceAssembly::make_rows(Table table)
{
    make_rows(table, [](const auto&, const auto&) {});
}

void TraceAssembly::make_steps()
{
    make_rows(tables::Steps {});
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

void TraceAssembly::make_syncs()
{
    make_rows(tables::Syncs {}, [this](Sync& sync, const SyncRecord& r) {
        sync.type = sync.call == no_row ? r.type : type_of(m_trace.text(m_trace.calls.name[sync.call]), r.type);
    });
}

void TraceAssembly::make_events()
{
    make_rows(tables::Events {}, [this](Event& event, const EventRecord& r) {
        event.device_time = r.device_time == 0 ? -1 : event.device_time;
        event.time = event.call != no_row ? m_trace.calls.start[event.call] : std::max(event.device_time, Ns {0});
        event.stream = m_streams.row(r.process, r.device, r.context, r.stream);
    });
}

void TraceAssembly::sort_ranges()
{
    auto& ranges = m_trace.ranges;
    if (m_range_ids.empty()) {
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
    const bool with_ids = !m_records.of<AutogradRecord>().empty() || !m_records.of<RangeValueRecord>().empty();
    reserve_large(ranges, records.size() / 2 + 1);
    reserve_large(m_range_ids, with_ids ? records.size() / 2 + 1 : 0);
    const auto close = [this](Range& range, const RangeRecord& r) {
        m_backward += r.time - m_origin < range.start ? 1 : 0;
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

void TraceAssembly::make_range_values()
{
    auto& records = m_records.of<RangeValueRecord>();
    if (records.empty()) {
        return;
    }
    // Files have both in the order of ids; else they are sorted by them.
    using Id = std::pair<std::uint32_t, std::uint64_t>;
    const auto id_of = [](const RangeValueRecord& r) { return Id(r.process, r.range); };
    const auto comes_before = [&](const RangeValueRecord& a, const RangeValueRecord& b) {
        return id_of(a) != id_of(b) ? id_of(a) < id_of(b) : a.place < b.place;
    };
    if (!std::is_sorted(records.begin(), records.end(), comes_before)) {
        std::stable_sort(records.begin(), records.end(), comes_before);
    }
    const auto id_at = [this](std::size_t i) { return Id(m_range_ids[i].process, m_range_ids[i].id); };
    std::vector<Row> order(m_range_ids.size());
    std::iota(order.begin(), order.end(), Row {0});
    const auto precedes = [&](Row a, Row b) { return id_at(a) < id_at(b); };
    if (!std::is_sorted(order.begin(), order.end(), precedes)) {
        std::stable_sort(order.begin(), order.end(), precedes);
    }
    auto& values = m_trace.range_values;
    reserve_large(values, records.size());
    auto at = order.begin();
    for (const auto& r : records) {
        const auto is_earlier = [&](Row place) { return id_at(place) < id_of(r) || m_range_ids[place].mark; };
        while (at != order.end() && is_earlier(*at)) {
            ++at;
        }
        // One without a range: that began outside the window.
        if (at != order.end() && id_at(*at) == id_of(r) && r.type <= RangeValueRecord::id) {
            values.push_back({m_range_rows[*at], r.name, r.value, r.words, r.type});
        }
    }
    release(records);
    const auto is_of_earlier = [](const RangeValue& a, const RangeValue& b) { return a.range < b.range; };
    if (!std::is_sorted(values.begin(), values.end(), is_of_earlier)) {
        std::stable_sort(values.begin(), values.end(), is_of_earlier);
    }
}

void TraceAssembly::make_clocks()
{
    // A process writes several in a second, and all processes read the same clocks. One a second is kept, besides those
    // on both sides of a step of a clock and of the recording.
    constexpr Ns apart = 1'000'000'000;
    constexpr Ns step = 1'000;
    auto& records = m_records.of<ClockRecord>();
    std::erase_if(records, [](const auto& r) { return !is_sane(r.realtime) || !is_sane(r.monotonic); });
    std::sort(records.begin(), records.end(), [](const ClockRecord& a, const ClockRecord& b) {
        return a.monotonic != b.monotonic ? a.monotonic < b.monotonic : a.realtime < b.realtime;
    });
    auto& clocks = m_trace.clocks;
    const auto difference = [](const ClockRecord& r) { return r.realtime - r.monotonic; };
    const auto time = [this](const ClockRecord& r) { return r.realtime - m_origin; };
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto& record = records[i];
        const auto* const next = i + 1 < records.size() ? &records[i + 1] : nullptr;
        const bool is_outside = next != nullptr && time(*next) <= 0;
        const bool is_at_end = next == nullptr || time(record) >= m_trace.duration;
        const auto is_step = [&](const ClockRecord& a, const ClockRecord& b) {
            return std::abs(difference(a) - difference(b)) > step;
        };
        const bool is_at_step
            = (i > 0 && is_step(records[i - 1], record)) || (next != nullptr && is_step(record, *next));
        if (!is_outside
            && (clocks.empty() || is_at_end || is_at_step || record.monotonic - clocks.back().monotonic >= apart)) {
            clocks.push_back({time(record), record.monotonic});
        }
        if (is_at_end && !is_outside) {
            break;
        }
    }
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
        if (range.thread == no_row || is_sampled(m_trace, range)) {
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
    make_rows(tables::HostSpans {});
    make_rows(tables::Reads {});
    make_rows(tables::Errors {});
    make_rows(tables::GraphNodes {});
}

void TraceAssembly::make_host_functions()
{
    make_rows(tables::HostFunctions {}, [this](HostFunction& function, const HostFunctionRecord& r) {
        if (!function.timed) {
            function.start = function.end = m_trace.calls.start[function.call];
        }
        function.stream = m_streams.row(r.process, no_id, r.context, r.stream);
    });
}

void TraceAssembly::make_query_spins()
{
    auto& spins = m_trace.query_spins;
    make_rows(tables::QuerySpins {}, [this](QuerySpin& spin, const QuerySpinRecord&) {
        spin.start = m_trace.calls.start[spin.call];
        spin.end = m_trace.calls.end[spin.call];
        spin.succeeded = std::min(spin.succeeded, QuerySpinRecord::not_known);  // a spool may hold anything
    });
    std::stable_sort(
        spins.begin(), spins.end(), [](const QuerySpin& a, const QuerySpin& b) { return a.call < b.call; });
}

void TraceAssembly::make_overheads()
{
    make_rows(tables::Overheads {}, [this](Overhead& overhead, const OverheadRecord&) {
        if (overhead.thread == no_row && overhead.call != no_row) {
            overhead.thread = m_trace.calls.thread[overhead.call];
        }
    });
}

void TraceAssembly::make_memory()
{
    make_rows(tables::Memory {});
}

void TraceAssembly::measure()
{
    Ns last = 0;
    for_each_table([&]<class Table>(Table) {
        // Nodes of graphs are made in calls, or by other runs of the program, before or after this one.
        if constexpr (Timed<typename Table::Rows> && !std::is_same_v<Table, tables::GraphNodes>) {
            const auto& rows = m_trace.*Table::rows;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                last = std::max(last, span_in(rows, row).end);
            }
        }
    });
    for (const auto time : m_trace.samples.time) {
        last = std::max(last, time);
    }
    m_trace.duration = last;
}

}  // namespace lanes
