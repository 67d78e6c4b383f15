// SPDX-License-Identifier: MIT
#include "engine/trace/trace_to_builder.h"

#include "engine/trace/operator_range.h"
#include "engine/trace/owners.h"
#include "engine/trace/range_around.h"
#include "engine/trace/sampled_range.h"
#include "engine/trace/tables.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace lanes {

namespace {

class Giver {
public:
    Giver(const Trace& trace, TraceBuilder& builder, const Resettled& to)
        : m_trace(trace)
        , m_builder(builder)
        , m_to(to)
        , m_texts(trace.strings.size(), 0)
    {
    }
    GivenCuts run()
    {
        describe();
        give(tables::Calls {});
        operations();
        ranges();
        waits();
        give(tables::HostSpans {});
        give(tables::Reads {});
        if (m_to.steps) {
            give(tables::Steps {});
        }
        give(tables::Overheads {});
        give(tables::Memory {});
        counters();
        give(tables::RangeValues {}, [this](RangeValueRecord& r, Row row) {
            const Row range = m_trace.range_values[row].range;
            r.process = is_given(tables::Ranges {}, range) ? ids(m_trace.ranges[range].thread, no_row).process : no_id;
            r.range = std::uint64_t {range} + 1;
            r.place = static_cast<std::uint16_t>(&m_trace.range_values[row] - m_trace.values_of(range).data());
        });
        clocks();
        give(tables::Errors {}, [this](ErrorRecord& r, Row) { r.step = m_to.steps ? r.step : no_id; });
        return m_cuts;
    }

private:
    struct Ids {
        std::uint32_t process = 0, thread = no_id;
    };

    StringId new_text(StringId id)
    {
        if (id == 0 || id >= m_texts.size()) {
            return 0;
        }
        auto& known = m_texts[id];
        known = known != 0 ? known : m_builder.intern(m_trace.text(id));
        return known;
    }
    std::uint32_t new_process(std::uint32_t id)
    {
        const auto [known, is_new] = m_processes.try_emplace(id, 0);
        if (is_new) {
            known->second = m_to.process(id);
        }
        return known->second;
    }
    std::uint32_t new_device(std::uint32_t id)
    {
        if (id == no_id) {
            return no_id;
        }
        const auto [known, is_new] = m_devices.try_emplace(id, 0);
        if (is_new) {
            known->second = m_to.device(id);
        }
        return known->second;
    }
    Ns at(Ns time) const { return time + m_to.shift; }
    /// The ids of a row of threads or, if that is not known, of a call's thread; the process is no_id if it is left
    /// out.
    Ids ids(Row thread, Row call)
    {
        if (thread != no_row) {
            const auto& t = m_trace.threads[thread];
            return {new_process(t.process), t.id};
        }
        return {call == no_row ? new_process(0) : ids(m_trace.calls.thread[call], no_row).process, no_id};
    }
    std::uint32_t correlation(Row call) const { return call == no_row ? 0 : m_trace.calls.correlation[call]; }
    /// The stream of a row with its new ids; without one, a stream without a number in the call's process.
    Stream new_stream(Row row, Row call)
    {
        Stream s {};
        s.id = s.device = no_id;
        if (row != no_row) {
            s = m_trace.streams[row];
            s.process = new_process(s.process);
            s.device = new_device(s.device);
        } else {
            s.process = ids(no_row, call).process;
        }
        return s;
    }

    /// Sets the record's value of a column. `call`: that of the row. `owner`: the process follows from the column.
    template <bool owner, class Record, class Column, class Value>
    void set(Record& record, const Column& column, const Value& value, Row call)
    {
        using enum ColumnKind;
        if constexpr (Column::kind == device) {
            const auto id = new_device(value);
            if constexpr (Column::is_recorded) {
                record.*column.in_record = id;
            }
        } else if constexpr (!Column::is_recorded) {
            return;
        } else if constexpr (Column::template is_row_of<&Trace::threads>) {
            const auto of = ids(value, call);
            record.process = owner ? of.process : record.process;
            record.*column.in_record = of.thread;
        } else if constexpr (Column::template is_row_of<&Trace::calls>) {
            record.*column.in_record = correlation(value);
        } else if constexpr (Column::template is_row_of<&Trace::streams>) {
            const auto of = new_stream(value, call);
            record.process = owner ? of.process : record.process;
            record.context = of.context;
            record.*column.in_record = of.id;
            if constexpr (requires { record.device; }) {
                record.device = of.device;
            }
        } else if constexpr (Column::kind == time) {
            record.*column.in_record = at(value);
        } else if constexpr (Column::kind == text) {
            record.*column.in_record = new_text(value);
        } else if constexpr (requires { value.size(); }) {
            std::copy(value.begin(), value.end(), std::begin(record.*column.in_record));
        } else {
            record.*column.in_record = static_cast<std::remove_reference_t<decltype(record.*column.in_record)>>(value);
        }
    }
    /// Sets the record's values of all columns of a row; the process is no_id if it is left out.
    template <class Table, class Record> void fill(Record& record, Table table, Row row)
    {
        constexpr bool names_process = has_column<Table>(ColumnKind::process);
        Row call = no_row;
        for_each_column(table, [&]<class Column>(const Column& column) {
            if constexpr (Column::kind == ColumnKind::process) {
                record.process = new_process(cell_of(table, column, m_trace, row));
            } else if constexpr (Column::template is_row_of<&Trace::calls> && Column::is_recorded) {
                call = cell_of(table, column, m_trace, row);
            }
        });
        for_each_column(table, [&]<class Column>(const Column& column) {
            if (Column::kind != ColumnKind::process && record.process != no_id) {
                set<!names_process>(record, column, cell_of(table, column, m_trace, row), call);
            }
        });
    }
    /// When a row of a table was; of what happened in a call, when that was, so that both are given or neither.
    template <class Table> Interval span_of_row(Table, Row row) const
    {
        const auto& rows = m_trace.*Table::rows;
        if constexpr (std::is_same_v<Table, tables::Events> || std::is_same_v<Table, tables::QuerySpins>) {
            if (const Row call = rows[row].call; call != no_row) {
                return span_in(m_trace.calls, call);
            }
        }
        return span_in(rows, row);
    }
    /// Whether a row is in the wanted range.
    template <class Table> bool is_given(Table table, Row row) const
    {
        if constexpr (std::is_same_v<Table, tables::GraphNodes>) {  // what is launched in it may be made before it
            return !m_to.range || m_trace.graph_nodes[row].time <= m_to.range->end;
        } else if constexpr (Timed<typename Table::Rows>) {
            if (m_to.range) {
                const auto span = span_of_row(table, row);
                return touches(span.start, span.end, *m_to.range);
            }
        }
        return true;
    }
    bool is_cut(Interval span) const
    {
        return m_to.range && (span.start < m_to.range->start || span.end > m_to.range->end);
    }
    /// Cuts the times of a record of the range at its ends.
    template <class Record> void cut(Record& record) const
    {
        if (!m_to.range) {
            return;
        }
        if constexpr (requires { record.end; }) {
            record.start = std::max(record.start, at(m_to.range->start));
            record.end = std::min(record.end, at(m_to.range->end));
        } else if constexpr (requires { record.time; }) {
            record.time = std::clamp(record.time, at(m_to.range->start), at(m_to.range->end));
        }
    }
    /// Writes the records of a table, except those of processes that are left out. `mend(record, row)` sets what the
    /// columns do not describe.
    template <class Table> void give(Table table, auto mend)
    {
        std::vector<typename Table::Record> records;
        const auto size = (m_trace.*Table::rows).size();
        records.reserve(size);
        for (Row row = 0; row < size; ++row) {
            typename Table::Record record {};
            if (!is_given(table, row)) {
                continue;
            }
            fill(record, table, row);
            if (record.process != no_id) {
                cut(record);
                mend(record, row);
            }
            if (record.process != no_id) {
                if constexpr (std::is_same_v<Table, tables::Calls>) {
                    m_cuts.calls += is_cut(span_in(m_trace.calls, row)) ? 1 : 0;
                }
                records.push_back(record);
            }
        }
        m_builder.write(std::span<const typename Table::Record>(records));
    }
    template <class Table> void give(Table table)
    {
        give(table, [](auto&, Row) {});
    }

    /// GraphNode::within of a capture; 0: there were no ranges around it.
    StringId within_of(const GraphNode& node)
    {
        std::string names;
        for (const Row range : ranges_around(m_trace, node.original_node == 0 ? node.thread : no_row, node.time)) {
            add_to_within(names, m_trace.text(m_trace.ranges[range].name), is_operator(m_trace, range));
        }
        return names.empty() ? 0 : m_builder.intern(names);
    }

    void describe();
    void operations();
    void ranges();
    void waits();
    void counters();
    void clocks();

    const Trace& m_trace;
    TraceBuilder& m_builder;
    const Resettled& m_to;
    std::vector<StringId> m_texts;
    std::map<std::uint32_t, std::uint32_t> m_processes, m_devices;
    GivenCuts m_cuts;
};

void Giver::describe()
{
    give(tables::Processes {}, [this](ProcessRecord& r, Row) {
        // A parent may be any process of the machine, even one without records.
        r.parent = m_processes.contains(r.parent) ? new_process(r.parent) : r.parent;
    });
    give(tables::Threads {});
    give(tables::Contexts {});
    give(tables::Streams {});
    for (const auto& c : m_trace.counters) {
        if (new_process(c.process) != no_id) {
            new_device(c.device);
        }
    }
    for (Row row = 0; row < m_trace.devices.size(); ++row) {
        if (m_devices.contains(m_trace.devices[row].id)) {  // else of a process that is left out
            DeviceRecord r {};
            fill(r, tables::Devices {}, row);
            m_builder.write(r);
        }
    }
}

void Giver::operations()
{
    const auto& table = m_trace.operations;
    std::vector<KernelRecord> kernels;
    std::vector<CopyRecord> copies;
    std::vector<MemsetRecord> memsets;
    for (Row row = 0; row < table.size(); ++row) {
        if (!is_given(tables::Operations {}, row)) {
            continue;
        }
        const auto add = [&](auto& records, auto details) {
            auto& r = records.emplace_back();
            fill<tables::Operations, OperationRecord>(r, {}, row);
            fill(r, details, table.detail[row]);
            if (r.process == no_id) {
                records.pop_back();
                return;
            }
            cut(r);
            m_cuts.operations += is_cut(span_in(table, row)) ? 1 : 0;
            if constexpr (std::is_same_v<decltype(details), tables::Kernels>) {
                r.shown_name = new_text(table.name[row]);
            }
        };
        if (table.kind[row] == OperationKind::kernel) {
            add(kernels, tables::Kernels {});
        } else if (table.kind[row] == OperationKind::memset) {
            add(memsets, tables::Memsets {});
        } else {
            add(copies, tables::Copies {});
        }
    }
    m_builder.write(std::span<const KernelRecord>(kernels));
    m_builder.write(std::span<const CopyRecord>(copies));
    m_builder.write(std::span<const MemsetRecord>(memsets));
}

void Giver::ranges()
{
    std::vector<RangeRecord> records;
    for (Row row = 0; row < m_trace.ranges.size(); ++row) {
        const auto& range = m_trace.ranges[row];
        RangeRecord r {};
        if (!is_given(tables::Ranges {}, row)) {
            continue;
        }
        fill(r, tables::Ranges {}, row);
        if (r.process == no_id) {
            continue;
        }
        cut(r);
        m_cuts.ranges += is_cut({range.start, range.end}) && !is_sampled(m_trace, range) ? 1 : 0;
        r.id = std::uint64_t {row} + 1;  // unique in the trace, so in each of its processes
        r.edge = range.mark ? RangeRecord::mark : RangeRecord::begin;
        records.push_back(r);
        const bool ends_in_range = m_to.range && m_to.range->end < m_trace.duration;
        if (!range.mark && (!range.open || ends_in_range)) {
            const Ns end = m_to.range ? std::min(range.end, m_to.range->end) : range.end;
            records.push_back({at(end), r.id, r.process, r.thread, 0, 0, 0, RangeRecord::finish});
        }
    }
    m_builder.write(std::span<const RangeRecord>(records));
    give(tables::Autograd {}, [this](AutogradRecord& r, Row row) {
        const auto& a = m_trace.autograd[row];
        if (!is_given(tables::Ranges {}, a.range)) {
            r.process = no_id;
            return;
        }
        r.process = ids(m_trace.ranges[a.range].thread, no_row).process;
        r.range = std::uint64_t {a.range} + 1;
        r.forward = a.forward == no_row || !is_given(tables::Ranges {}, a.forward) ? 0 : std::uint64_t {a.forward} + 1;
    });
}

void Giver::waits()
{
    give(tables::Syncs {});
    give(tables::Events {}, [this](EventRecord& r, Row row) {
        const Ns time = m_trace.events[row].device_time;
        r.device_time = time < 0 || is_cut({time, time}) ? 0 : r.device_time;
    });
    give(tables::HostFunctions {}, [](HostFunctionRecord& r, Row) {
        r.start = r.timed != 0 ? r.start : 0;
        r.end = r.timed != 0 ? r.end : 0;
    });
    give(tables::GraphNodes {}, [this](GraphNodeRecord& r, Row row) {
        // Its kernels may be launched in the range: one made before it stays where it was, and keeps the names of the
        // ranges around it.
        const GraphNode& node = m_trace.graph_nodes[row];
        if (m_to.range && node.time < m_to.range->start) {
            r.time = at(node.time);
            r.within = r.within != 0 ? r.within : within_of(node);
        }
    });
    give(tables::QuerySpins {}, [this](QuerySpinRecord& r, Row row) {
        const auto of = ids(m_trace.calls.thread[m_trace.query_spins[row].call], no_row);
        r.process = of.process;
        r.thread = of.thread;
    });
}

void Giver::clocks()
{
    if (!m_to.clocks) {
        return;
    }
    // Of a range, also the last before it and the first after it.
    const auto& all = m_trace.clocks;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_before = m_to.range && i + 1 < all.size() && all[i + 1].time <= m_to.range->start;
        const bool is_after = m_to.range && i > 0 && all[i - 1].time >= m_to.range->end;
        if (!is_before && !is_after) {
            m_builder.write(ClockRecord {at(all[i].time), all[i].monotonic});
        }
    }
}

void Giver::counters()
{
    for (Row row = 0; row < m_trace.counters.size(); ++row) {
        CounterRecord r {};
        fill(r, tables::Counters {}, row);
        const auto samples = m_trace.counters[row].samples;
        const auto& times = m_trace.samples.time;
        for (auto at_sample = samples.begin; at_sample < samples.end && r.process != no_id; ++at_sample) {
            r.time = at(times[at_sample]);
            if (m_to.range) {
                const bool is_before = times[at_sample] < m_to.range->start;
                const bool goes_on = at_sample + 1 == samples.end || times[at_sample + 1] > m_to.range->start;
                if (times[at_sample] > m_to.range->end || (is_before && !goes_on)) {
                    continue;
                }
                cut(r);  // the value that it had before
            }
            r.value = std::bit_cast<std::uint64_t>(m_trace.samples.value[at_sample]);
            m_builder.write(r);
        }
    }
}

}  // namespace

GivenCuts give_records(const Trace& trace, TraceBuilder& builder, const Resettled& to)
{
    return Giver(trace, builder, to).run();
}

}  // namespace lanes
