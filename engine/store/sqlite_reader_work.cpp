// SPDX-License-Identifier: MIT
// Calls and what they cause.
#include "engine/store/chrome/chrome_words.h"
#include "engine/store/nsys_layout.h"
#include "engine/store/sqlite_reader.h"
#include "engine/trace/large_vector.h"

namespace lanes {

void SqliteReader::read_calls(Calls& calls)
{
    struct Named {
        std::int64_t stored = std::numeric_limits<std::int64_t>::min();
        StringId place = 0;
    };
    std::array<Named, 256> recent;  // the last look-ups, each at its stored id modulo their number
    std::unordered_map<std::int64_t, StringId> places {{Named().stored, 0}};
    calls.names = {Named().stored};
    const auto name_of = [&](std::int64_t stored) {
        auto& known = recent[static_cast<std::size_t>(stored) % recent.size()];
        if (known.stored != stored) {
            const auto [place, first] = places.try_emplace(stored, static_cast<StringId>(calls.names.size()));
            if (first) {
                calls.names.push_back(stored);
            }
            known = {stored, place->second};
        }
        return known.place;
    };
    reserve_large(calls.records, m_file.rows_of("CUPTI_ACTIVITY_KIND_RUNTIME"));
    TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_RUNTIME",
        {"start", "end", "eventClass", "globalTid", "correlationId", "nameId", "returnValue"});
    while (next_timed(rows, {0, 1})) {
        const auto ids = thread(rows, 3);
        see(rows.number(0), rows.number(1));
        grow_large(calls.records, 1);
        calls.records.push_back({rows.number(0), rows.number(1), ids.process, ids.thread, rows.id(4, 0),
            name_of(rows.number(5, 0)), rows.number(2, 0) == 1 ? ApiCallRecord::driver : ApiCallRecord::runtime,
            static_cast<std::int32_t>(rows.number(6, 0))});
    }
}

void SqliteReader::read_own_operations()
{
    for (TableRows rows(m_file, "LANESCOPE_OPERATION", {"kind", "row", "channel", "async"}); rows.next();) {
        const auto kind = rows.number(0);
        const auto row = rows.number(1);
        if (kind < 0 || kind > 3 || row < 1 || static_cast<std::uint64_t>(row) > m_file.row_limit()) {
            m_file.fail("table LANESCOPE_OPERATION, row " + std::to_string(rows.row()) + ": no such operation");
        }
        auto& of_kind = m_own_operations[static_cast<std::size_t>(kind)];
        if (static_cast<std::size_t>(row) > of_kind.size()) {
            of_kind.resize(static_cast<std::size_t>(row));
        }
        of_kind[static_cast<std::size_t>(row) - 1] = {rows.id(2, no_id), rows.number(3, 0) != 0};
    }
}

SqliteReader::OwnOperation SqliteReader::own_operation(std::size_t kind, std::uint64_t row) const
{
    return row <= m_own_operations[kind].size() ? m_own_operations[kind][row - 1] : OwnOperation {};
}

void SqliteReader::see(Ns start, Ns end)
{
    m_first_start = std::min(m_first_start, start);
    m_last_end = std::max(m_last_end, end);
}

void SqliteReader::operation(OperationRecord& r, const TableRows& rows)
{
    r.start = rows.number(0);
    r.end = rows.number(1);
    see(r.start, r.end);
    r.device = rows.id(2, 0);
    r.context = rows.id(3, 0);
    r.stream = rows.id(4, 0);
    r.correlation = rows.id(5, 0);
    r.process = process(rows, 6);
    if (r.device != m_last_device) {
        m_used_devices.insert(r.device);
        m_last_device = r.device;
    }
}

std::uint32_t SqliteReader::graph_node(std::int64_t stored) const
{
    return m_own ? static_cast<std::uint32_t>(stored) : graph_node_of(static_cast<std::uint64_t>(stored));
}

void SqliteReader::read_kernels()
{
    m_builder.expect(RecordKind::kernel, m_file.rows_of("CUPTI_ACTIVITY_KIND_KERNEL"));
    RecordBatch<KernelRecord> batch(m_builder);
    TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_KERNEL",
        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "demangledName",
            "shortName", "registersPerThread", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ",
            "staticSharedMemory", "dynamicSharedMemory", "graphNodeId"});
    while (next_timed(rows, {0, 1})) {
        KernelRecord r {};
        operation(r, rows);
        r.name = text(rows.number(7, 0));
        r.shown_name = text(rows.number(8, 0));
        r.name = r.name != 0 || m_own ? r.name : r.shown_name;
        r.registers = rows.id(9, 0);
        for (int i = 0; i < 3; ++i) {
            r.grid[i] = rows.id(10 + i, 0);
            r.block[i] = rows.id(13 + i, 0);
        }
        r.static_shared = rows.id(16, 0);
        r.dynamic_shared = rows.id(17, 0);
        r.graph_node = graph_node(rows.number(18, 0));
        r.channel = own_operation(0, rows.row()).channel;
        batch.add(r);
    }
}

void SqliteReader::read_graphs()
{
    RecordBatch<KernelRecord> batch(m_builder);
    TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "graphId"});
    while (next_timed(rows, {0, 1})) {  // the whole graph is one piece of work: its kernels are not recorded
        KernelRecord r {};
        operation(r, rows);
        r.name = r.shown_name = m_builder.intern("CUDA graph " + std::to_string(rows.number(7, 0)));
        r.channel = no_id;
        batch.add(r);
    }
}

void SqliteReader::read_copies()
{
    m_builder.expect(RecordKind::copy, m_file.rows_of("CUPTI_ACTIVITY_KIND_MEMCPY"));
    RecordBatch<CopyRecord> batch(m_builder);
    TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_MEMCPY",
        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "bytes", "copyKind",
            "srcKind", "dstKind", "srcDeviceId", "dstDeviceId", "graphNodeId"});
    while (next_timed(rows, {0, 1})) {
        CopyRecord r {};
        operation(r, rows);
        r.bytes = rows.count(7);
        r.copy = layout::to_copy_kind(rows.number(8, 0));
        r.stream = layout::is_migration(rows.number(8, 0)) ? no_id : r.stream;
        r.source = layout::to_memory_kind(rows.number(9, 7));
        r.target = layout::to_memory_kind(rows.number(10, 7));
        r.source_device = rows.id(11, no_id);
        r.target_device = rows.id(12, no_id);
        r.graph_node = graph_node(rows.number(13, 0));
        const auto own = own_operation(1, rows.row());
        r.channel = own.channel;
        r.async = own.async ? 1 : 0;
        batch.add(r);
    }
}

void SqliteReader::read_memsets()
{
    RecordBatch<MemsetRecord> batch(m_builder);
    TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_MEMSET",
        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "bytes", "value", "memKind",
            "graphNodeId"});
    while (next_timed(rows, {0, 1})) {
        MemsetRecord r {};
        operation(r, rows);
        r.bytes = rows.count(7);
        r.value = static_cast<std::uint32_t>(rows.number(8, 0));
        r.target = layout::to_memory_kind(rows.number(9, 7));
        r.graph_node = graph_node(rows.number(10, 0));
        const auto own = own_operation(2, rows.row());
        r.channel = own.channel;
        r.async = own.async ? 1 : 0;
        batch.add(r);
    }
}

void SqliteReader::read_syncs()
{
    RecordBatch<SyncRecord> batch(m_builder);
    TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
        {"start", "end", "contextId", "streamId", "correlationId", "globalPid", "syncType", "eventId", "eventSyncId"});
    while (next_timed(rows, {0, 1})) {
        const auto type = rows.number(6, 0);
        batch.add({rows.number(0), rows.number(1), process(rows, 5), rows.id(2, 0), rows.id(3, no_id), rows.id(4, 0),
            rows.id(7, no_id), rows.id(8, 0),
            type >= 1 && type <= 4 ? static_cast<SyncRecord::Type>(type) : SyncRecord::unknown, 0});
    }
}

void SqliteReader::read_events()
{
    RecordBatch<EventRecord> batch(m_builder);
    TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
        {"timestamp", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "eventId", "eventSyncId"});
    while (rows.next()) {
        EventRecord r {};
        r.device_time = rows.number(0, 0);
        r.device = rows.id(1, no_id);
        r.context = rows.id(2, 0);
        r.stream = rows.id(3, no_id);
        r.correlation = rows.id(4, 0);
        r.process = process(rows, 5);
        r.event_id = rows.id(6, no_id);
        r.event_sync = rows.id(7, 0);
        batch.add(r);
    }
}

void SqliteReader::read_overheads()
{
    RecordBatch<OverheadRecord> batch(m_builder);
    for (const char* table : {"CUPTI_ACTIVITY_KIND_OVERHEAD", "PROFILER_OVERHEAD"}) {
        TableRows rows(m_file, table, {"start", "end", "globalTid", "correlationId", "overheadType"});
        while (next_timed(rows, {0, 1})) {
            const auto type = layout::to_overhead(rows.number(4, 0));
            const auto start = rows.number(0);
            const auto end = rows.number(1);
            // Of Nsight's own start-up and shut-down only what lies among the program's work says anything.
            if (m_own || (type != OverheadRecord::unknown && start < m_last_end && end > m_first_start)) {
                const auto ids = thread(rows, 2, false);
                batch.add({start, end, ids.process, ids.thread, rows.id(3, 0), type});
            }
        }
    }
}

void SqliteReader::read_counters()
{
    std::unordered_map<std::int64_t, CounterRecord> counters;
    for (TableRows rows(m_file, "LANESCOPE_COUNTER", {"id", "globalPid", "deviceId", "nameId", "unit"}); rows.next();) {
        const auto unit = rows.number(4, 0);
        CounterRecord r {};
        r.process = process(rows, 1);
        r.device = rows.id(2, no_id);
        r.name = text(rows.number(3, 0));
        r.unit = unit >= 0 && unit <= CounterRecord::percent ? static_cast<CounterRecord::Unit>(unit)
                                                             : CounterRecord::none;
        counters.emplace(rows.number(0, 0), r);
    }
    m_builder.expect(RecordKind::counter, m_file.rows_of("LANESCOPE_SAMPLE"));
    RecordBatch<CounterRecord> batch(m_builder);
    TableRows rows(m_file, "LANESCOPE_SAMPLE", {"counterId", "time", "value"});
    while (next_timed(rows, {1})) {
        if (const auto of = counters.find(rows.number(0, 0)); of != counters.end()) {
            of->second.time = rows.number(1);
            of->second.value = std::bit_cast<std::uint64_t>(rows.real(2));
            batch.add(of->second);
        }
    }
}

void SqliteReader::read_gpu_metrics()
{
    // Which process calls the machine's GPU by which number; without that it is the first one's, by the same number.
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> users;
    for (TableRows rows(m_file, "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"}); rows.next();) {
        if (m_used_processes.contains(rows.id(2, 0)) && m_used_devices.contains(rows.id(1, 0))) {
            users.try_emplace(rows.id(0, no_id), rows.id(2, 0), rows.id(1, 0));
        }
    }
    const auto first = m_used_processes.empty() ? 0 : *m_used_processes.begin();
    struct Metric {
        CounterRecord record {};
        std::vector<std::pair<Ns, double>> values = {};
        bool says_something = false;  ///< most are 0 throughout
    };
    std::map<std::pair<std::int64_t, std::int64_t>, Metric> metrics;  // by typeId and metricId
    for (TableRows rows(m_file, "TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"}); rows.next();) {
        const auto gpu = static_cast<std::uint32_t>(rows.number(0, 0) & 0xFF);
        const auto user = users.find(gpu);
        const auto name = rows.text(2);
        CounterRecord r {};
        r.process = user == users.end() ? first : user->second.first;
        r.device = user == users.end() ? gpu : user->second.second;
        r.name = m_builder.intern(name);
        r.unit = unit_of(name);
        metrics[{rows.number(0, 0), rows.number(1, 0)}].record = r;
    }
    for (TableRows rows(m_file, "GPU_METRICS", {"timestamp", "typeId", "metricId", "value"}); next_timed(rows, {0});) {
        const auto time = rows.number(0);
        const auto of = metrics.find({rows.number(1, 0), rows.number(2, 0)});
        if (of != metrics.end() && time >= m_first_start && time <= m_last_end) {
            const auto value = rows.real(3);
            of->second.values.emplace_back(time, value);
            of->second.says_something = of->second.says_something || value != 0;
        }
    }
    RecordBatch<CounterRecord> batch(m_builder);
    for (auto& [key, metric] : metrics) {
        for (const auto& [time, value] : metric.values) {
            if (metric.says_something) {
                metric.record.time = time;
                metric.record.value = std::bit_cast<std::uint64_t>(value);
                batch.add(metric.record);
            }
        }
    }
}

void SqliteReader::read_memory()
{
    RecordBatch<MemoryRecord> batch(m_builder);
    TableRows rows(m_file, "CUDA_GPU_MEMORY_USAGE_EVENTS",
        {"start", "globalPid", "deviceId", "contextId", "address", "bytes", "memKind", "memoryOperationType",
            "correlationId", "streamId"});
    while (next_timed(rows, {0})) {
        MemoryRecord r {};
        r.time = rows.number(0);
        r.process = process(rows, 1);
        r.device = rows.id(2, no_id);
        r.context = rows.id(3, 0);
        r.address = static_cast<std::uint64_t>(rows.number(4, 0));
        r.bytes = rows.count(5);
        r.memory = layout::to_memory_kind(rows.number(6, 7));
        const auto operation = rows.number(7, 255);
        r.operation = operation == 0 || operation == 1 ? static_cast<MemoryRecord::Operation>(operation + 1)
                                                       : MemoryRecord::unknown;
        r.correlation = rows.id(8, 0);
        r.stream = rows.id(9, no_id);
        r.async = own_operation(3, rows.row()).async ? 1 : 0;
        batch.add(r);
    }
}

}  // namespace lanes
