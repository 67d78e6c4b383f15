// SPDX-License-Identifier: MIT
#include "engine/trace/trace_to_builder.h"

#include <bit>
#include <map>
#include <span>
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
    void run()
    {
        describe();
        calls();
        operations();
        ranges();
        waits();
        rest();
    }

private:
    struct Ids {
        std::uint32_t process = 0, thread = no_id;
    };

    StringId text(StringId id)
    {
        if (id == 0 || id >= m_texts.size()) {
            return 0;
        }
        auto& known = m_texts[id];
        known = known != 0 ? known : m_builder.intern(m_trace.text(id));
        return known;
    }
    std::uint32_t process(std::uint32_t id)
    {
        const auto [known, is_new] = m_processes.try_emplace(id, 0);
        if (is_new) {
            known->second = m_to.process(id);
        }
        return known->second;
    }
    std::uint32_t device(std::uint32_t id)
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
    /// Of a row of threads; the process is no_id where it is left out.
    Ids ids(Row thread)
    {
        if (thread == no_row) {
            return {process(0), no_id};
        }
        const auto& t = m_trace.threads[thread];
        return {process(t.process), t.id};
    }
    std::uint32_t correlation(Row call) const { return call == no_row ? 0 : m_trace.calls.correlation[call]; }
    /// The stream of a row with its new ids; where there is none, one without a number of the call's process.
    Stream stream(Row row, Row call)
    {
        Stream s {};
        s.id = s.device = no_id;
        if (row != no_row) {
            s = m_trace.streams[row];
            s.process = process(s.process);
            s.device = device(s.device);
        } else {
            s.process = ids(call == no_row ? no_row : m_trace.calls.thread[call]).process;
        }
        return s;
    }

    void describe();
    void calls();
    void operations();
    void ranges();
    void waits();
    void rest();

    const Trace& m_trace;
    TraceBuilder& m_builder;
    const Resettled& m_to;
    std::vector<StringId> m_texts;
    std::map<std::uint32_t, std::uint32_t> m_processes, m_devices;
};

void Giver::describe()
{
    for (const auto& p : m_trace.processes) {
        if (const auto id = process(p.id); id != no_id) {
            // A parent is a process of the machine, which may have done nothing that was recorded.
            const bool known = m_processes.contains(p.parent);
            m_builder.write(ProcessRecord {id, known ? process(p.parent) : p.parent, text(p.name), 0});
        }
    }
    for (const auto& t : m_trace.threads) {
        if (const auto id = process(t.process); id != no_id) {
            m_builder.write(ThreadRecord {id, t.id, text(t.name), t.order});
        }
    }
    for (const auto& c : m_trace.contexts) {
        if (const auto id = process(c.process); id != no_id) {
            m_builder.write(ContextRecord {id, device(c.device), c.id, c.null_stream});
        }
    }
    for (const auto& s : m_trace.streams) {
        if (const auto id = process(s.process); id != no_id) {
            device(s.device);
            m_builder.write(StreamRecord {id, s.context, s.id, s.priority, s.flag, text(s.name)});
        }
    }
    for (const auto& c : m_trace.counters) {
        if (process(c.process) != no_id) {
            device(c.device);
        }
    }
    for (const auto& d : m_trace.devices) {
        if (!m_devices.contains(d.id)) {
            continue;  // of a process that is left out
        }
        DeviceRecord r {};
        r.device = device(d.id);
        r.name = text(d.name);
        r.uuid = text(d.uuid);
        r.pci = text(d.pci);
        r.multiprocessors = d.multiprocessors;
        r.copy_engines = d.copy_engines;
        r.compute_major = d.compute_major;
        r.compute_minor = d.compute_minor;
        r.core_clock_khz = d.core_clock_khz;
        r.memory_bytes = d.memory_bytes;
        r.memory_bandwidth = d.memory_bandwidth;
        m_builder.write(r);
    }
}

void Giver::calls()
{
    const auto& c = m_trace.calls;
    std::vector<ApiCallRecord> records;
    records.reserve(c.size());
    for (Row row = 0; row < c.size(); ++row) {
        const auto [owner, thread] = ids(c.thread[row]);
        if (owner != no_id) {
            records.push_back({at(c.start[row]), at(c.end[row]), owner, thread, c.correlation[row], text(c.name[row]),
                c.api[row], c.result[row]});
        }
    }
    m_builder.write(std::span<const ApiCallRecord>(records));
}

void Giver::operations()
{
    const auto& table = m_trace.operations;
    std::vector<KernelRecord> kernels;
    std::vector<CopyRecord> copies;
    std::vector<MemsetRecord> memsets;
    for (Row row = 0; row < table.size(); ++row) {
        const auto s = stream(table.stream[row], no_row);
        if (s.process == no_id) {
            continue;
        }
        const auto fill = [&](OperationRecord& r, const auto& detail) {
            r.start = at(table.start[row]);
            r.end = at(table.end[row]);
            r.process = s.process;
            r.device = s.device;
            r.context = s.context;
            r.stream = s.id;
            r.correlation = table.correlation[row];
            r.graph_node = detail.graph_node;
            r.channel = detail.channel;
        };
        if (table.kind[row] == OperationKind::kernel) {
            const auto& k = m_trace.kernels[table.detail[row]];
            auto& r = kernels.emplace_back();
            fill(r, k);
            r.name = text(k.full_name);
            r.shown_name = text(table.name[row]);
            std::copy(k.grid.begin(), k.grid.end(), r.grid);
            std::copy(k.block.begin(), k.block.end(), r.block);
            r.registers = k.registers;
            r.static_shared = k.static_shared;
            r.dynamic_shared = k.dynamic_shared;
        } else if (table.kind[row] == OperationKind::memset) {
            const auto& m = m_trace.memsets[table.detail[row]];
            auto& r = memsets.emplace_back();
            fill(r, m);
            r.bytes = m.bytes;
            r.value = m.value;
            r.target = m.target;
            r.async = m.async ? 1 : 0;
        } else {
            const auto& c = m_trace.copies[table.detail[row]];
            auto& r = copies.emplace_back();
            fill(r, c);
            r.bytes = c.bytes;
            r.copy = c.copy;
            r.source = c.source;
            r.target = c.target;
            r.async = c.async ? 1 : 0;
            r.source_device = device(c.source_device);
            r.target_device = device(c.target_device);
        }
    }
    m_builder.write(std::span<const KernelRecord>(kernels));
    m_builder.write(std::span<const CopyRecord>(copies));
    m_builder.write(std::span<const MemsetRecord>(memsets));
}

void Giver::ranges()
{
    std::vector<RangeRecord> records;
    std::uint64_t id = 0;
    for (const auto& r : m_trace.ranges) {
        const auto [owner, thread] = ids(r.thread);
        ++id;  // unique in the trace, so in each of its processes
        if (owner == no_id) {
            continue;
        }
        records.push_back({at(r.start), id, owner, thread, text(r.name), text(r.domain), r.color,
            r.mark ? RangeRecord::mark : RangeRecord::begin});
        if (!r.mark && !r.open) {
            records.push_back({at(r.end), id, owner, thread, 0, 0, 0, RangeRecord::finish});
        }
    }
    m_builder.write(std::span<const RangeRecord>(records));
    std::vector<AutogradRecord> of_autograd;
    for (const auto& a : m_trace.autograd) {
        if (const auto owner = ids(m_trace.ranges[a.range].thread).process; owner != no_id) {
            of_autograd.push_back({std::uint64_t {a.range} + 1, a.forward == no_row ? 0 : std::uint64_t {a.forward} + 1,
                owner, a.number, a.forward_thread, 0});
        }
    }
    m_builder.write(std::span<const AutogradRecord>(of_autograd));
}

void Giver::waits()
{
    for (const auto& s : m_trace.syncs) {
        if (const auto owner = process(s.process); owner != no_id) {
            m_builder.write(SyncRecord {at(s.start), at(s.end), owner, s.context,
                s.stream == no_row ? no_id : m_trace.streams[s.stream].id, correlation(s.call), s.event_id,
                s.event_sync, s.type, 0});
        }
    }
    for (const auto& e : m_trace.events) {
        if (const auto s = stream(e.stream, e.call); s.process != no_id) {
            m_builder.write(EventRecord {e.device_time < 0 ? 0 : at(e.device_time), s.process, s.device, s.context,
                s.id, correlation(e.call), e.event_id, e.event_sync, 0});
        }
    }
    for (const auto& f : m_trace.host_functions) {
        if (const auto s = stream(f.stream, f.call); s.process != no_id) {
            m_builder.write(HostFunctionRecord {f.timed ? at(f.start) : 0, f.timed ? at(f.end) : 0, s.process,
                s.context, s.id, correlation(f.call), f.timed ? 1U : 0U, 0});
        }
    }
    for (const auto& s : m_trace.query_spins) {
        const auto [owner, thread] = ids(m_trace.calls.thread[s.call]);
        if (owner != no_id) {
            m_builder.write(QuerySpinRecord {
                at(s.start), at(s.end), owner, thread, correlation(s.call), s.queries, s.succeeded, 0});
        }
    }
}

void Giver::rest()
{
    for (const auto& s : m_trace.host_spans) {
        if (const auto [owner, thread] = ids(s.thread); owner != no_id) {
            m_builder.write(HostSpanRecord {at(s.start), at(s.end), owner, thread, text(s.name), s.type});
        }
    }
    for (const auto& r : m_trace.reads) {
        if (const auto [owner, thread] = ids(r.thread); owner != no_id) {
            m_builder.write(ReadRecord {at(r.start), at(r.end), owner, thread, text(r.buffer), r.expect_stale ? 1U : 0U,
                r.bytes, r.wrong_bytes});
        }
    }
    for (const auto& s : m_trace.steps) {
        if (const auto [owner, thread] = ids(s.thread); m_to.steps && owner != no_id) {
            m_builder.write(StepRecord {at(s.start), owner, thread, s.step, s.instruction});
        }
    }
    for (const auto& o : m_trace.overheads) {
        auto [owner, thread] = ids(o.thread);
        if (o.thread == no_row && o.call != no_row) {
            owner = ids(m_trace.calls.thread[o.call]).process;
        }
        if (owner != no_id) {
            m_builder.write(OverheadRecord {at(o.start), at(o.end), owner, thread, correlation(o.call), o.type});
        }
    }
    for (const auto& m : m_trace.memory) {
        const auto owner = process(m.process);
        if (owner == no_id) {
            continue;
        }
        const auto s = stream(m.stream, no_row);
        MemoryRecord r {};
        r.time = at(m.time);
        r.address = m.address;
        r.bytes = m.bytes;
        r.process = owner;
        r.device = device(m.device);
        r.context = s.context;
        r.stream = s.id;
        r.correlation = correlation(m.call);
        r.operation = m.operation;
        r.memory = m.memory;
        r.async = m.async ? 1 : 0;
        m_builder.write(r);
    }
    for (const auto& c : m_trace.counters) {
        const auto owner = process(c.process);
        for (auto row = c.samples.begin; row < c.samples.end && owner != no_id; ++row) {
            m_builder.write(
                CounterRecord {at(m_trace.samples.time[row]), std::bit_cast<std::uint64_t>(m_trace.samples.value[row]),
                    owner, device(c.device), text(c.name), c.unit});
        }
    }
    for (const auto& e : m_trace.errors) {
        if (const auto [owner, thread] = ids(e.thread); owner != no_id) {
            m_builder.write(
                ErrorRecord {at(e.time), owner, thread, m_to.steps ? e.step : no_id, e.code, text(e.message), 0});
        }
    }
}

}  // namespace

void give_records(const Trace& trace, TraceBuilder& builder, const Resettled& to)
{
    Giver(trace, builder, to).run();
}

}  // namespace lanes
