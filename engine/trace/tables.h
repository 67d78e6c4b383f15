// SPDX-License-Identifier: MIT
// The tables of a Trace, each column described once: what it holds, its name, and where records have it. Whatever
// treats all columns alike is a loop over this list: keeping a trace and checking the kept one, comparing two, turning
// rows into records and back. tables.cpp does not compile while a table or a column is missing here.
//
// In the list:
//   name        for messages of tests and errors; files may use another
//   member      of the row's struct, or the vector of a table that is stored in columns
//   in_record   the member of the records with the same value; nullptr: the column is derived
//
// Cost: none while the program runs. Loops are unrolled at compile time.
#pragma once

#include "engine/trace/trace.h"

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lanes {

enum class ColumnKind : std::uint8_t {
    time,  ///< ns from the recording's start
    row,  ///< of another table; no_row: none
    span,  ///< a RowSpan of another table
    detail,  ///< a row of kernels, copies or memsets, by the operation's kind
    process,  ///< the id of a process
    device,  ///< the id of a device; no_id: none
    text,  ///< a StringId
    enumeration,  ///< from 0 up to `last`
    flag,
    number,  ///< anything else, also an array of numbers or a handle
};

/// `Member` and `InRecord` are pointers to members. `Target` is the member of a Trace into which a row or rows point.
template <ColumnKind kind_, class Member, class InRecord = std::nullptr_t, class Target = std::nullptr_t>
struct TraceColumn {
    static constexpr ColumnKind kind = kind_;
    static constexpr bool is_recorded = !std::is_null_pointer_v<InRecord>;
    /// Whether it is a row of this table, &Trace::threads.
    template <auto table> static constexpr bool is_row_of = std::is_same_v<Target, decltype(table)>;

    const char* name;
    Member member;
    InRecord in_record = nullptr;
    Target target = nullptr;
    std::uint64_t last = 0;  ///< of an enumeration
    bool must = false;  ///< of a row: never no_row
};

namespace tables {

template <class Member> struct Pointee;
template <class T, class Of> struct Pointee<T Of::*> {
    using type = T;
};

/// `rows_`: the member of a Trace, a vector of structs or a struct of vectors. `Record_`: the records from which the
/// rows are made; void: there are no separate ones.
template <auto rows_, class Record_> struct Table {
    static constexpr auto rows = rows_;
    using Rows = typename Pointee<decltype(rows_)>::type;
    using Record = Record_;
    static constexpr bool is_in_columns = !requires { typename Rows::value_type; };
};

/// Makes the description of a column.
template <ColumnKind kind> struct Describe {
    template <class Member, class InRecord = std::nullptr_t>
    constexpr auto operator()(const char* name, Member member, InRecord in_record = nullptr) const
    {
        return TraceColumn<kind, Member, InRecord> {name, member, in_record};
    }
};
inline constexpr Describe<ColumnKind::time> time;
inline constexpr Describe<ColumnKind::detail> detail;
inline constexpr Describe<ColumnKind::process> process;
inline constexpr Describe<ColumnKind::device> device;
inline constexpr Describe<ColumnKind::text> text;
inline constexpr Describe<ColumnKind::flag> flag;
inline constexpr Describe<ColumnKind::number> number;

/// For a row of threads, streams or calls, `in_record` is the thread, the stream or the correlation.
template <class Member, class Target, class InRecord = std::nullptr_t>
constexpr auto row(const char* name, Member member, Target target, InRecord in_record = nullptr, bool must = false)
{
    return TraceColumn<ColumnKind::row, Member, InRecord, Target> {name, member, in_record, target, 0, must};
}
template <class Member, class Target, class InRecord = std::nullptr_t>
constexpr auto always_row(const char* name, Member member, Target target, InRecord in_record = nullptr)
{
    return row(name, member, target, in_record, true);
}
template <class Member, class Target> constexpr auto span(const char* name, Member member, Target target)
{
    return TraceColumn<ColumnKind::span, Member, std::nullptr_t, Target> {name, member, nullptr, target};
}
template <class Member, class Enum, class InRecord = std::nullptr_t>
constexpr auto enumeration(const char* name, Member member, Enum last, InRecord in_record = nullptr)
{
    return TraceColumn<ColumnKind::enumeration, Member, InRecord> {
        name, member, in_record, nullptr, static_cast<std::uint64_t>(last)};
}

struct Processes : Table<&Trace::processes, ProcessRecord> {
    static constexpr auto name = "processes";
    static constexpr std::tuple columns {
        process("id", &Process::id, &ProcessRecord::process),
        number("parent", &Process::parent, &ProcessRecord::parent),
        text("name", &Process::name, &ProcessRecord::name),
    };
};

struct Threads : Table<&Trace::threads, ThreadRecord> {
    static constexpr auto name = "threads";
    static constexpr std::tuple columns {
        process("process", &Thread::process, &ThreadRecord::process),
        number("id", &Thread::id, &ThreadRecord::thread),
        text("name", &Thread::name, &ThreadRecord::name),
        number("order", &Thread::order, &ThreadRecord::order),
    };
};

struct Devices : Table<&Trace::devices, DeviceRecord> {
    static constexpr auto name = "devices";
    static constexpr std::tuple columns {
        device("id", &Device::id, &DeviceRecord::device),
        text("name", &Device::name, &DeviceRecord::name),
        text("uuid", &Device::uuid, &DeviceRecord::uuid),
        number("multiprocessors", &Device::multiprocessors, &DeviceRecord::multiprocessors),
        number("copy_engines", &Device::copy_engines, &DeviceRecord::copy_engines),
        number("compute_major", &Device::compute_major, &DeviceRecord::compute_major),
        number("compute_minor", &Device::compute_minor, &DeviceRecord::compute_minor),
        number("core_clock_khz", &Device::core_clock_khz, &DeviceRecord::core_clock_khz),
        number("memory_bytes", &Device::memory_bytes, &DeviceRecord::memory_bytes),
        number("memory_bandwidth", &Device::memory_bandwidth, &DeviceRecord::memory_bandwidth),
        text("pci", &Device::pci, &DeviceRecord::pci),
    };
};

struct Contexts : Table<&Trace::contexts, ContextRecord> {
    static constexpr auto name = "contexts";
    static constexpr std::tuple columns {
        process("process", &Context::process, &ContextRecord::process),
        device("device", &Context::device, &ContextRecord::device),
        number("id", &Context::id, &ContextRecord::context),
        number("null_stream", &Context::null_stream, &ContextRecord::null_stream),
    };
};

struct Streams : Table<&Trace::streams, StreamRecord> {
    static constexpr auto name = "streams";
    static constexpr std::tuple columns {
        process("process", &Stream::process, &StreamRecord::process),
        device("device", &Stream::device),
        number("context", &Stream::context, &StreamRecord::context),
        number("id", &Stream::id, &StreamRecord::stream),
        text("name", &Stream::name, &StreamRecord::name),
        number("priority", &Stream::priority, &StreamRecord::priority),
        enumeration("flag", &Stream::flag, StreamRecord::null, &StreamRecord::flag),
    };
};

struct Operations : Table<&Trace::operations, OperationRecord> {
    static constexpr auto name = "operations";
    static constexpr std::tuple columns {
        time("start", &OperationTable::start, &OperationRecord::start),
        time("end", &OperationTable::end, &OperationRecord::end),
        always_row("stream", &OperationTable::stream, &Trace::streams, &OperationRecord::stream),
        text("name", &OperationTable::name),
        number("correlation", &OperationTable::correlation, &OperationRecord::correlation),
        row("call", &OperationTable::call, &Trace::calls),
        detail("detail", &OperationTable::detail),
        enumeration("kind", &OperationTable::kind, OperationKind::memset),
    };
};

struct Kernels : Table<&Trace::kernels, KernelRecord> {
    static constexpr auto name = "kernels";
    static constexpr std::tuple columns {
        text("full_name", &KernelDetail::full_name, &KernelRecord::name),
        number("grid", &KernelDetail::grid, &KernelRecord::grid),
        number("block", &KernelDetail::block, &KernelRecord::block),
        number("registers", &KernelDetail::registers, &KernelRecord::registers),
        number("static_shared", &KernelDetail::static_shared, &KernelRecord::static_shared),
        number("dynamic_shared", &KernelDetail::dynamic_shared, &KernelRecord::dynamic_shared),
        number("graph_node", &KernelDetail::graph_node, &KernelRecord::graph_node),
        number("channel", &KernelDetail::channel, &KernelRecord::channel),
        number("graph", &KernelDetail::graph, &KernelRecord::graph),
    };
};

struct Copies : Table<&Trace::copies, CopyRecord> {
    static constexpr auto name = "copies";
    static constexpr std::tuple columns {
        number("bytes", &CopyDetail::bytes, &CopyRecord::bytes),
        enumeration("source", &CopyDetail::source, MemoryKind::managed_static, &CopyRecord::source),
        enumeration("target", &CopyDetail::target, MemoryKind::managed_static, &CopyRecord::target),
        enumeration("copy", &CopyDetail::copy, CopyKind::p2p, &CopyRecord::copy),
        flag("async", &CopyDetail::async, &CopyRecord::async),
        device("source_device", &CopyDetail::source_device, &CopyRecord::source_device),
        device("target_device", &CopyDetail::target_device, &CopyRecord::target_device),
        number("graph_node", &CopyDetail::graph_node, &CopyRecord::graph_node),
        number("channel", &CopyDetail::channel, &CopyRecord::channel),
        number("graph", &CopyDetail::graph, &CopyRecord::graph),
    };
};

struct Memsets : Table<&Trace::memsets, MemsetRecord> {
    static constexpr auto name = "memsets";
    static constexpr std::tuple columns {
        number("bytes", &MemsetDetail::bytes, &MemsetRecord::bytes),
        number("value", &MemsetDetail::value, &MemsetRecord::value),
        enumeration("target", &MemsetDetail::target, MemoryKind::managed_static, &MemsetRecord::target),
        flag("async", &MemsetDetail::async, &MemsetRecord::async),
        number("graph_node", &MemsetDetail::graph_node, &MemsetRecord::graph_node),
        number("channel", &MemsetDetail::channel, &MemsetRecord::channel),
        number("graph", &MemsetDetail::graph, &MemsetRecord::graph),
    };
};

struct Calls : Table<&Trace::calls, ApiCallRecord> {
    static constexpr auto name = "calls";
    static constexpr std::tuple columns {
        time("start", &CallTable::start, &ApiCallRecord::start),
        time("end", &CallTable::end, &ApiCallRecord::end),
        row("thread", &CallTable::thread, &Trace::threads, &ApiCallRecord::thread),
        text("name", &CallTable::name, &ApiCallRecord::name),
        number("correlation", &CallTable::correlation, &ApiCallRecord::correlation),
        row("outer", &CallTable::outer, &Trace::calls),
        number("step", &CallTable::step),
        number("result", &CallTable::result, &ApiCallRecord::result),
        enumeration("api", &CallTable::api, ApiCallRecord::driver, &ApiCallRecord::api),
    };
};

struct Syncs : Table<&Trace::syncs, SyncRecord> {
    static constexpr auto name = "syncs";
    static constexpr std::tuple columns {
        time("start", &Sync::start, &SyncRecord::start),
        time("end", &Sync::end, &SyncRecord::end),
        row("call", &Sync::call, &Trace::calls, &SyncRecord::correlation),
        row("stream", &Sync::stream, &Trace::streams, &SyncRecord::stream),
        process("process", &Sync::process, &SyncRecord::process),
        number("context", &Sync::context, &SyncRecord::context),
        number("event_id", &Sync::event_id, &SyncRecord::event_id),
        number("event_sync", &Sync::event_sync, &SyncRecord::event_sync),
        enumeration("type", &Sync::type, SyncRecord::context_sync, &SyncRecord::type),
    };
};

struct Events : Table<&Trace::events, EventRecord> {
    static constexpr auto name = "events";
    static constexpr std::tuple columns {
        time("time", &Event::time),
        time("device_time", &Event::device_time, &EventRecord::device_time),
        row("call", &Event::call, &Trace::calls, &EventRecord::correlation),
        row("stream", &Event::stream, &Trace::streams, &EventRecord::stream),
        number("event_id", &Event::event_id, &EventRecord::event_id),
        number("event_sync", &Event::event_sync, &EventRecord::event_sync),
    };
};

struct Ranges : Table<&Trace::ranges, RangeRecord> {
    static constexpr auto name = "ranges";
    static constexpr std::tuple columns {
        time("start", &Range::start, &RangeRecord::time),
        time("end", &Range::end),
        row("thread", &Range::thread, &Trace::threads, &RangeRecord::thread),
        text("name", &Range::name, &RangeRecord::name),
        text("domain", &Range::domain, &RangeRecord::domain),
        number("color", &Range::color, &RangeRecord::color),
        number("depth", &Range::depth),
        flag("open", &Range::open),
        flag("mark", &Range::mark),
    };
};

struct Autograd : Table<&Trace::autograd, AutogradRecord> {
    static constexpr auto name = "autograd";
    static constexpr std::tuple columns {
        always_row("range", &AutogradOperator::range, &Trace::ranges),
        row("forward", &AutogradOperator::forward, &Trace::ranges),
        number("number", &AutogradOperator::number, &AutogradRecord::number),
        number("forward_thread", &AutogradOperator::forward_thread, &AutogradRecord::forward_thread),
    };
};

struct RangeValues : Table<&Trace::range_values, RangeValueRecord> {
    static constexpr auto name = "range_values";
    static constexpr std::tuple columns {
        always_row("range", &RangeValue::range, &Trace::ranges),
        text("name", &RangeValue::name, &RangeValueRecord::name),
        number("value", &RangeValue::value, &RangeValueRecord::value),
        text("words", &RangeValue::words, &RangeValueRecord::words),
        enumeration("type", &RangeValue::type, RangeValueRecord::id, &RangeValueRecord::type),
    };
};

struct HostSpans : Table<&Trace::host_spans, HostSpanRecord> {
    static constexpr auto name = "host_spans";
    static constexpr std::tuple columns {
        time("start", &HostSpan::start, &HostSpanRecord::start),
        time("end", &HostSpan::end, &HostSpanRecord::end),
        row("thread", &HostSpan::thread, &Trace::threads, &HostSpanRecord::thread),
        text("name", &HostSpan::name, &HostSpanRecord::name),
        enumeration("type", &HostSpan::type, HostSpanRecord::staging, &HostSpanRecord::type),
    };
};

struct HostFunctions : Table<&Trace::host_functions, HostFunctionRecord> {
    static constexpr auto name = "host_functions";
    static constexpr std::tuple columns {
        time("start", &HostFunction::start, &HostFunctionRecord::start),
        time("end", &HostFunction::end, &HostFunctionRecord::end),
        row("call", &HostFunction::call, &Trace::calls, &HostFunctionRecord::correlation),
        row("stream", &HostFunction::stream, &Trace::streams, &HostFunctionRecord::stream),
        flag("timed", &HostFunction::timed, &HostFunctionRecord::timed),
    };
};

struct GraphNodes : Table<&Trace::graph_nodes, GraphNodeRecord> {
    static constexpr auto name = "graph_nodes";
    static constexpr std::tuple columns {
        time("time", &GraphNode::time, &GraphNodeRecord::time),
        row("thread", &GraphNode::thread, &Trace::threads, &GraphNodeRecord::thread),
        number("graph", &GraphNode::graph, &GraphNodeRecord::graph),
        number("graph_node", &GraphNode::graph_node, &GraphNodeRecord::graph_node),
        number("original_graph", &GraphNode::original_graph, &GraphNodeRecord::original_graph),
        number("original_node", &GraphNode::original_node, &GraphNodeRecord::original_node),
        text("within", &GraphNode::within, &GraphNodeRecord::within),
    };
};

struct QuerySpins : Table<&Trace::query_spins, QuerySpinRecord> {
    static constexpr auto name = "query_spins";
    static constexpr std::tuple columns {
        time("start", &QuerySpin::start, &QuerySpinRecord::start),
        time("end", &QuerySpin::end, &QuerySpinRecord::end),
        always_row("call", &QuerySpin::call, &Trace::calls, &QuerySpinRecord::correlation),
        number("queries", &QuerySpin::queries, &QuerySpinRecord::queries),
        enumeration("succeeded", &QuerySpin::succeeded, QuerySpinRecord::not_known, &QuerySpinRecord::succeeded),
    };
};

struct Reads : Table<&Trace::reads, ReadRecord> {
    static constexpr auto name = "reads";
    static constexpr std::tuple columns {
        time("start", &Read::start, &ReadRecord::start),
        time("end", &Read::end, &ReadRecord::end),
        row("thread", &Read::thread, &Trace::threads, &ReadRecord::thread),
        text("buffer", &Read::buffer, &ReadRecord::buffer),
        number("bytes", &Read::bytes, &ReadRecord::bytes),
        number("wrong_bytes", &Read::wrong_bytes, &ReadRecord::wrong_bytes),
        flag("expect_stale", &Read::expect_stale, &ReadRecord::expect_stale),
    };
};

struct Steps : Table<&Trace::steps, StepRecord> {
    static constexpr auto name = "steps";
    static constexpr std::tuple columns {
        time("start", &Step::start, &StepRecord::start),
        row("thread", &Step::thread, &Trace::threads, &StepRecord::thread),
        number("step", &Step::step, &StepRecord::step),
        number("instruction", &Step::instruction, &StepRecord::instruction),
    };
};

struct Overheads : Table<&Trace::overheads, OverheadRecord> {
    static constexpr auto name = "overheads";
    static constexpr std::tuple columns {
        time("start", &Overhead::start, &OverheadRecord::start),
        time("end", &Overhead::end, &OverheadRecord::end),
        row("thread", &Overhead::thread, &Trace::threads, &OverheadRecord::thread),
        row("call", &Overhead::call, &Trace::calls, &OverheadRecord::correlation),
        number("type", &Overhead::type, &OverheadRecord::type),
    };
};

struct Memory : Table<&Trace::memory, MemoryRecord> {
    static constexpr auto name = "memory";
    static constexpr std::tuple columns {
        time("time", &MemoryEvent::time, &MemoryRecord::time),
        number("address", &MemoryEvent::address, &MemoryRecord::address),
        number("bytes", &MemoryEvent::bytes, &MemoryRecord::bytes),
        row("call", &MemoryEvent::call, &Trace::calls, &MemoryRecord::correlation),
        row("stream", &MemoryEvent::stream, &Trace::streams, &MemoryRecord::stream),
        process("process", &MemoryEvent::process, &MemoryRecord::process),
        device("device", &MemoryEvent::device, &MemoryRecord::device),
        enumeration("operation", &MemoryEvent::operation, MemoryRecord::release, &MemoryRecord::operation),
        enumeration("memory", &MemoryEvent::memory, MemoryKind::managed_static, &MemoryRecord::memory),
        flag("async", &MemoryEvent::async, &MemoryRecord::async),
    };
};

struct Counters : Table<&Trace::counters, CounterRecord> {
    static constexpr auto name = "counters";
    static constexpr std::tuple columns {
        process("process", &Counter::process, &CounterRecord::process),
        device("device", &Counter::device, &CounterRecord::device),
        text("name", &Counter::name, &CounterRecord::name),
        enumeration("unit", &Counter::unit, CounterRecord::percent, &CounterRecord::unit),
        span("samples", &Counter::samples, &Trace::samples),
    };
};

struct Samples : Table<&Trace::samples, void> {
    static constexpr auto name = "samples";
    static constexpr std::tuple columns {
        time("time", &SampleTable::time),
        number("value", &SampleTable::value),
    };
};

struct Clocks : Table<&Trace::clocks, ClockRecord> {
    static constexpr auto name = "clocks";
    static constexpr std::tuple columns {
        time("time", &ClockSample::time, &ClockRecord::realtime),
        number("monotonic", &ClockSample::monotonic, &ClockRecord::monotonic),
    };
};

struct Errors : Table<&Trace::errors, ErrorRecord> {
    static constexpr auto name = "errors";
    static constexpr std::tuple columns {
        time("time", &RunError::time, &ErrorRecord::time),
        row("thread", &RunError::thread, &Trace::threads, &ErrorRecord::thread),
        number("step", &RunError::step, &ErrorRecord::step),
        number("code", &RunError::code, &ErrorRecord::code),
        text("message", &RunError::message, &ErrorRecord::message),
    };
};

/// All tables, in the order of Trace. Trace::marks is none: marks of a user are no records.
template <class... Tables> struct List {
};
using All = List<Processes, Threads, Devices, Contexts, Streams, Operations, Kernels, Copies, Memsets, Calls, Syncs,
    Events, Ranges, Autograd, RangeValues, HostSpans, HostFunctions, GraphNodes, QuerySpins, Reads, Steps, Overheads,
    Memory, Counters, Samples, Clocks, Errors>;

}  // namespace tables

/// Calls `use(table)` with an object of each table.
template <class Use> constexpr void for_each_table(Use use)
{
    [&]<class... Tables>(tables::List<Tables...>) { (use(Tables {}), ...); }(tables::All {});
}
/// Calls `use(column)` with each column of a table.
template <class Table, class Use> constexpr void for_each_column(Table, Use use)
{
    std::apply([&](const auto&... columns) { (use(columns), ...); }, Table::columns);
}
/// Whether `holds(column)` is true for all; stops at the first for which it is false.
template <class Table, class Holds> constexpr bool all_columns(Table, Holds holds)
{
    return std::apply([&](const auto&... columns) { return (holds(columns) && ...); }, Table::columns);
}
/// Whether it has a column of this kind.
template <class Table> consteval bool has_column(ColumnKind kind)
{
    return !all_columns(Table {}, [kind]<class Column>(const Column&) { return Column::kind != kind; });
}

/// What a column holds in a row.
template <class Table, class Column, class AnyTrace>
auto& cell_of(Table, const Column& column, AnyTrace& trace, Row row)
{
    if constexpr (Table::is_in_columns) {
        return (trace.*Table::rows.*column.member)[row];
    } else {
        return (trace.*Table::rows)[row].*column.member;
    }
}

/// Tables in which each row has a time.
template <class Rows>
concept Timed = requires(Rows r)
{
    r.start;
}
|| requires(Rows r)
{
    r[0].start;
}
|| requires(Rows r)
{
    r[0].time;
};

/// The start and end of a row, or its time as both.
template <Timed Rows> Interval span_in(const Rows& rows, std::size_t row)
{
    if constexpr (requires { rows.start; }) {
        return {rows.start[row], rows.end[row]};
    } else if constexpr (requires { rows[row].end; }) {
        return {rows[row].start, rows[row].end};
    } else if constexpr (requires { rows[row].start; }) {
        return {rows[row].start, rows[row].start};
    } else {
        return {rows[row].time, rows[row].time};
    }
}

/// Calls `use(vector)` with every vector in which a trace holds its tables: that of a table's rows, or one for each of
/// its columns.
template <class AnyTrace, class Use> void for_each_vector(AnyTrace& trace, Use use)
{
    for_each_table([&]<class Table>(Table table) {
        if constexpr (Table::is_in_columns) {
            for_each_column(table, [&](const auto& column) { use(trace.*Table::rows.*column.member); });
        } else {
            use(trace.*Table::rows);
        }
    });
}

}  // namespace lanes
