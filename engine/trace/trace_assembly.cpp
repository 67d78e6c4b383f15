// SPDX-License-Identifier: MIT
// The order of the work, and which records are kept; trace_tables.cpp makes the tables.
#include "engine/trace/trace_assembly.h"
#include "engine/trace/context_failure.h"
#include "engine/trace/event.h"
#include "engine/trace/large_vector.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace lanes {

namespace {

template <class R> void drop(std::vector<R>& records, auto&& unwanted)
{
    records.erase(std::remove_if(records.begin(), records.end(), unwanted), records.end());
}

template <class R> Ns end_of(const R& record)
{
    if constexpr (requires { record.end; }) {
        return record.end;
    } else {
        return begin_of(record);
    }
}

/// Makes no record end before it starts; returns how many did.
template <class R> std::uint64_t clamp_ends(std::vector<R>& records)
{
    std::uint64_t backward = 0;
    if constexpr (requires(R r) { r.end; }) {
        for (auto& record : records) {
            backward += record.end < record.start ? 1 : 0;
            record.end = std::max(record.start, record.end);
        }
    }
    return backward;
}

}  // namespace

void TraceAssembly::run()
{
    using Work = void (TraceAssembly::*)();
    struct Weighed {
        Work work;
        double until;  // the fraction of the time at its end, measured with operations and calls only
    };
    static constexpr Weighed steps[] = {
        {&TraceAssembly::leave_out_unset, 0},
        {&TraceAssembly::find_window, 0},
        {&TraceAssembly::tell_devices_apart, 0},
        {&TraceAssembly::index_calls, 0.2},
        {&TraceAssembly::keep_window, 0.35},
        {&TraceAssembly::make_origin, 0.36},
        {&TraceAssembly::see_all, 0.45},
        {&TraceAssembly::make_devices, 0.45},
        {&TraceAssembly::end_nesting, 0.45},
        {&TraceAssembly::sort_operations, 0.45},
        {&TraceAssembly::make_calls, 0.55},
        {&TraceAssembly::make_steps, 0.55},
        {&TraceAssembly::make_operations, 0.95},
        {&TraceAssembly::make_syncs, 0.95},
        {&TraceAssembly::make_events, 0.95},
        {&TraceAssembly::make_spans, 0.95},
        {&TraceAssembly::make_host_functions, 0.95},
        {&TraceAssembly::make_query_spins, 0.95},
        {&TraceAssembly::make_overheads, 0.95},
        {&TraceAssembly::make_memory, 0.96},
        {&TraceAssembly::make_counters, 0.96},
        {&TraceAssembly::measure, 0.97},
        {&TraceAssembly::make_ranges, 0.98},
        {&TraceAssembly::make_range_values, 0.98},
        {&TraceAssembly::make_autograd, 0.98},
        {&TraceAssembly::make_clocks, 0.98},
        {&TraceAssembly::make_meta, 1},
    };
    for (const auto& [work, until] : steps) {
        (this->*work)();
        m_progress.report(until);
    }
}

bool TraceAssembly::is_timed(Ns start, Ns end) const
{
    return is_sane(start) && is_sane(end) && (start != 0 || end != 0 || m_records.kept_origin);
}

void TraceAssembly::index_calls()
{
    auto& calls = m_records.of<ApiCallRecord>();
    const auto earlier = [](const ApiCallRecord& a, const ApiCallRecord& b) {
        return a.start != b.start ? a.start < b.start : a.end < b.end;
    };
    auto last = calls.begin();  // the end of the calls that have a time
    bool sorted = true;
    for (auto& call : calls) {
        if (is_timed(call.start, call.end)) {
            m_backward += call.end < call.start ? 1 : 0;
            call.end = std::max(call.start, call.end);
            sorted = sorted && (last == calls.begin() || !earlier(call, *(last - 1)));
            if (&*last != &call) {  // usually none was left out
                *last = call;
            }
            ++last;
        }
    }
    m_timeless += static_cast<std::uint64_t>(calls.end() - last);
    calls.erase(last, calls.end());
    if (!sorted) {
        std::stable_sort(calls.begin(), calls.end(), earlier);
    }
    const auto kept = [this](const ApiCallRecord& call) { return in_window(call.process, call.start); };
    m_calls.fill(calls, kept);
    if (has_window()) {
        drop(calls, [&](const ApiCallRecord& call) { return !kept(call); });
    }
    // Runs beside the work before end_nesting(), which asks whether a call is kept, but not which one is around it.
    m_nesting = std::async(beside_from(calls.size()), [this, &calls] { nest_calls(calls); });
}

void TraceAssembly::end_nesting()
{
    m_nesting.get();
    m_calls.replace(m_outermost);
}

void TraceAssembly::nest_calls(const std::vector<ApiCallRecord>& calls)
{
    reserve_large(m_outermost, calls.size());
    m_outermost.resize(calls.size());
    std::unordered_map<std::uint64_t, Row> open;  // by process and thread: the last outermost call so far
    std::uint64_t last_key = 0;
    Row* last = nullptr;
    const auto nest = [&](Row row) {
        const auto& call = calls[row];
        const auto key = pair_of(call.process, call.thread);
        if (last == nullptr || key != last_key) {
            last = &open.try_emplace(key, no_row).first->second;
            last_key = key;
        }
        // A driver call that begins together with another call is inside it; any other call only if it begins later.
        const bool inside = *last != no_row && call.end <= calls[*last].end
            && (call.start < calls[*last].end || call.start == calls[*last].start)
            && (call.api == ApiCallRecord::driver || call.start > calls[*last].start);
        m_outermost[row] = inside ? *last : row;
        *last = m_outermost[row];
    };
    // By start, the longer one first: any call still open when a driver call begins is around it. The calls are sorted
    // by start already: only those that begin together change places.
    const auto outside = [&](Row a, Row b) {
        const auto& x = calls[a];
        const auto& y = calls[b];
        return std::tuple(-x.end, x.api) < std::tuple(-y.end, y.api);
    };
    std::vector<Row> together;
    for (Row first = 0; first < calls.size();) {
        Row end = first + 1;
        while (end < calls.size() && calls[end].start == calls[first].start) {
            ++end;
        }
        if (end == first + 1) {
            nest(first);
        } else {
            together.resize(end - first);
            std::iota(together.begin(), together.end(), first);
            std::stable_sort(together.begin(), together.end(), outside);
            std::for_each(together.begin(), together.end(), nest);
        }
        first = end;
    }
}

Row TraceAssembly::call_of(std::uint32_t process, std::uint32_t correlation) const
{
    const auto call = m_calls.at(process, correlation);
    return call == CallIndex::absent ? no_row : call;
}

bool TraceAssembly::is_kept(std::uint32_t process, std::uint32_t correlation, Ns start) const
{
    const auto call = m_calls.at(process, correlation);
    if (call != CallIndex::absent && call != no_row) {
        return true;
    }
    // A program also runs before and after its recorded part: work that was issued before the part and began in it is
    // kept, without a call.
    return (call == CallIndex::absent || is_part()) && in_window(process, start);
}

template <class R> TraceAssembly::Odd TraceAssembly::keep_correlated(std::vector<R>& records) const
{
    Odd odd;
    drop(records, [&](const R& record) {
        const bool timeless = !std::is_same_v<R, EventRecord> && !is_timed(begin_of(record), end_of(record));
        odd.timeless += timeless ? 1 : 0;
        return timeless || !is_kept(record.process, record.correlation, begin_of(record)) || !is_sane(begin_of(record));
    });
    odd.backward = clamp_ends(records);
    return odd;
}

template <class R> void TraceAssembly::keep_begun(std::vector<R>& records)
{
    drop(records, [this](const R& record) {
        return !in_window(record.process, begin_of(record)) || !is_sane(begin_of(record)) || !is_sane(end_of(record));
    });
    m_backward += clamp_ends(records);
}

void TraceAssembly::keep_window()
{
    auto& kernels = m_records.of<KernelRecord>();
    auto of_kernels = std::async(beside_from(kernels.size()), [&] { return keep_correlated(kernels); });
    const auto count = [this](Odd odd, std::uint64_t& timeless) {
        timeless += odd.timeless;
        m_backward += odd.backward;
    };
    auto& copies = m_records.of<CopyRecord>();
    const auto all = copies.size();
    drop(copies, [](const CopyRecord& copy) { return copy.stream == no_id; });
    m_migrations = all - copies.size();
    count(keep_correlated(copies), m_untimed);
    count(keep_correlated(m_records.of<MemsetRecord>()), m_untimed);
    count(keep_correlated(m_records.of<SyncRecord>()), m_timeless);
    count(keep_correlated(m_records.of<EventRecord>()), m_timeless);
    count(keep_correlated(m_records.of<OverheadRecord>()), m_timeless);
    count(keep_correlated(m_records.of<MemoryRecord>()), m_timeless);
    // A function without a time takes that of its call.
    clamp_ends(m_records.of<HostFunctionRecord>());
    drop(m_records.of<HostFunctionRecord>(), [this](const HostFunctionRecord& record) {
        const bool is_placed = record.timed == 0 ? call_of(record.process, record.correlation) != no_row
                                                 : is_sane(record.start) && is_sane(record.end);
        return !is_placed || !is_kept(record.process, record.correlation, record.start);
    });
    drop(m_records.of<QuerySpinRecord>(),
        [this](const QuerySpinRecord& record) { return call_of(record.process, record.correlation) == no_row; });
    keep_begun(m_records.of<HostSpanRecord>());
    keep_begun(m_records.of<ReadRecord>());
    keep_begun(m_records.of<StepRecord>());
    name_earlier_captures();
    keep_samples();
    drop(m_records.of<RangeRecord>(), [this](const RangeRecord& record) {
        return !is_sane(record.time) || (record.edge != RangeRecord::finish && !in_window(record.process, record.time));
    });
    drop(m_records.of<CounterRecord>(),
        [](const CounterRecord& record) { return !is_sane(record.time) || !std::isfinite(record.number()); });
    keep_values();
    drop(m_records.of<ErrorRecord>(), [](const ErrorRecord& record) { return !is_sane(record.time); });
    // Also those from before the window: a graph is captured once and launched long after. Those after it are
    // another's.
    drop(m_records.of<GraphNodeRecord>(),
        [this](const GraphNodeRecord& record) { return !is_sane(record.time) || record.time > m_window_end; });
    count(of_kernels.get(), m_untimed);
}

/// Where Python was (sampled_domain) is kept of threads that make calls and of main threads, from the first call to the
/// last end of a call or operation: samples begin and end no recording. Both edges of such a range are successive.
void TraceAssembly::keep_samples()
{
    auto& records = m_records.of<RangeRecord>();
    const auto is_sample = [this](const RangeRecord& record) {
        return record.edge == RangeRecord::begin && record.domain != 0 && m_trace.text(record.domain) == sampled_domain;
    };
    if (std::none_of(records.begin(), records.end(), is_sample)) {
        return;
    }
    Ns first = std::numeric_limits<Ns>::max();
    Ns last = std::numeric_limits<Ns>::min();
    const auto take = [&](const auto& all) {
        for (const auto& record : all) {
            first = std::min(first, record.start);
            last = std::max(last, record.end);
        }
    };
    take(m_records.of<ApiCallRecord>());
    take(m_records.of<KernelRecord>());
    take(m_records.of<CopyRecord>());
    take(m_records.of<MemsetRecord>());
    std::unordered_set<std::uint64_t> calling;
    for (const auto& call : m_records.of<ApiCallRecord>()) {
        calling.insert(pair_of(call.process, call.thread));
    }
    std::vector<RangeRecord> kept;
    reserve_large(kept, records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
        auto record = records[i];
        if (!is_sample(record)) {
            kept.push_back(record);
            continue;
        }
        const bool ends = i + 1 < records.size() && records[i + 1].edge == RangeRecord::finish
            && records[i + 1].id == record.id && records[i + 1].process == record.process;
        auto end = ends ? records[++i] : record;
        const bool counts
            = record.thread == record.process || calling.count(pair_of(record.process, record.thread)) > 0;
        record.time = std::max(record.time, first);
        end.time = std::min(end.time, last);
        if (ends && counts && record.time < end.time) {
            kept.push_back(record);
            kept.push_back(end);
        }
    }
    records = std::move(kept);
}

void TraceAssembly::make_origin()
{
    // Two times of at most 2^63 ns: their sum wraps rather than overflows.
    const auto sum
        = [](Ns a, Ns b) { return static_cast<Ns>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); };
    if (m_records.kept_origin) {
        m_trace.origin = sum(*m_records.kept_origin, m_origin);  // 0, except after leave_out_unset()
        return;
    }
    m_origin = m_window_begin;
    if (m_origin == std::numeric_limits<Ns>::min()) {
        Ns first = std::numeric_limits<Ns>::max();
        const auto take = [&](const auto& records) {
            for (const auto& record : records) {
                first = std::min(first, begin_of(record));
            }
        };
        take(m_records.of<ApiCallRecord>());
        take(m_records.of<KernelRecord>());
        take(m_records.of<CopyRecord>());
        take(m_records.of<MemsetRecord>());
        take(m_records.of<SyncRecord>());
        take(m_records.of<OverheadRecord>());
        take(m_records.of<MemoryRecord>());
        take(m_records.of<CounterRecord>());
        take(m_records.of<HostSpanRecord>());
        take(m_records.of<ReadRecord>());
        take(m_records.of<StepRecord>());
        take(m_records.of<ErrorRecord>());
        for (const auto& record : m_records.of<RangeRecord>()) {
            first = record.edge == RangeRecord::finish ? first : std::min(first, record.time);
        }
        first = std::min(first, m_records.latest_origin.value_or(first));
        m_origin = first == std::numeric_limits<Ns>::max() ? 0 : first;
    }
    m_trace.origin = m_origin >= TraceRecords::since_1970 ? m_origin : sum(m_origin, m_records.base);
}

void TraceAssembly::see_all()
{
    auto streams = std::async(beside_from(m_records.of<KernelRecord>().size()), [this] { see_streams(); });
    see_threads();
    streams.get();
    m_threads.finish(m_trace, m_records.of<ProcessRecord>());
    see_counters();
}

void TraceAssembly::see_streams()
{
    const auto see = [this]<class R>(const R& record) {
        std::uint32_t device = no_id;
        if constexpr (requires { record.device; }) {
            device = record.device;
        }
        return m_streams.see(record.process, device, record.context, record.stream, is_operation<R>);
    };
    const auto number = [&](const auto& records, std::vector<std::uint32_t>& numbers) {
        reserve_large(numbers, records.size());
        for (const auto& record : records) {
            numbers.push_back(see(record));
        }
    };
    const auto see_all_of = [&](const auto& records) {
        for (const auto& record : records) {
            if (record.stream != no_id) {
                see(record);
            }
        }
    };
    m_streams.know(m_records.of<ContextRecord>());
    number(m_records.of<KernelRecord>(), m_stream_numbers[0]);
    number(m_records.of<CopyRecord>(), m_stream_numbers[1]);
    number(m_records.of<MemsetRecord>(), m_stream_numbers[2]);
    see_all_of(m_records.of<SyncRecord>());
    see_all_of(m_records.of<EventRecord>());
    see_all_of(m_records.of<MemoryRecord>());
    see_all_of(m_records.of<HostFunctionRecord>());
    m_streams.finish(m_trace, m_records.of<StreamRecord>(), m_records.of<ContextRecord>());
}

void TraceAssembly::see_threads()
{
    const auto see = [this](const auto& records) {
        for (const auto& record : records) {
            m_threads.see(record.process, record.thread, begin_of(record));
        }
    };
    see(m_records.of<ApiCallRecord>());
    see(m_records.of<HostSpanRecord>());
    see(m_records.of<ReadRecord>());
    see(m_records.of<StepRecord>());
    see(m_records.of<ErrorRecord>());
    see(m_records.of<GraphNodeRecord>());
    for (const auto& record : m_records.of<RangeRecord>()) {
        if (record.edge != RangeRecord::finish) {
            m_threads.see(record.process, record.thread, record.time);
        }
    }
    m_threads.describe(m_records.of<ThreadRecord>(), m_repetitions > 1);
}

void TraceAssembly::make_meta()
{
    describe_parts();
    describe_unflushed();
    describe_communicators();
    const bool has_all = m_trace.source == Source::kineto || m_trace.source == Source::chrome
        || m_trace.source == Source::nsys || m_records.kept_origin;
    if (has_all) {  // nothing was dropped in recording: the file has them all
        m_timeless += std::exchange(m_untimed, 0);
    }
    // Operations that a failed context did not run have no time, but were not dropped.
    const auto& results = m_trace.calls.result;
    const bool failed = std::any_of(
        results.begin(), results.end(), [](auto result) { return context_failure_name(result) != nullptr; });
    std::uint64_t dropped = failed ? 0 : m_untimed;
    for (const auto& record : m_records.of<DroppedRecord>()) {
        dropped += record.count;
    }
    m_trace.dropped = dropped;
    auto& meta = m_trace.meta;
    meta[meta::source] = name_of(m_trace.source);
    meta[meta::dropped] = std::to_string(dropped);
    if (m_untimed > 0) {
        meta[meta::untimed] = std::to_string(m_untimed);
    }
    if (m_migrations > 0) {
        meta[meta::migrations] = std::to_string(m_migrations);
    }
    meta::add(meta, meta::skipped_rows, m_timeless);
    meta::add(meta, meta::without_length, m_backward);
    meta::add(meta, meta::overlong, m_overlong);
    if (m_most_cut > 0) {
        meta[meta::overlong_ns] = std::to_string(m_most_cut);
    }
    Ns least = std::numeric_limits<Ns>::max();
    Ns most = std::numeric_limits<Ns>::min();
    for (const auto& record : m_records.of<ClockRecord>()) {
        if (is_sane(record.realtime) && is_sane(record.monotonic)) {
            least = std::min(least, record.realtime - record.monotonic);
            most = std::max(most, record.realtime - record.monotonic);
        }
    }
    if (least <= most) {
        meta[meta::clock_drift_ns] = std::to_string(most - least);
    }
    meta[meta::clock_violations] = std::to_string(m_clock_violations);
}

}  // namespace lanes
