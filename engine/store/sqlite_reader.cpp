// SPDX-License-Identifier: MIT
#include "engine/store/meta.h"
#include "engine/store/nsys_layout.h"
#include "engine/store/sqlite_recording.h"
#include "engine/store/sqlite_table.h"
#include "engine/trace/trace_builder.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <sqlite3.h>
#include <system_error>
#include <unordered_map>

namespace lanes {

namespace {

/// Records on their way to the builder, handed over many at once.
template <Record R>
class Batch {
public:
    explicit Batch(TraceBuilder& builder) : m_builder(builder) { m_records.reserve(size); }
    ~Batch() { flush(); }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    void add(const R& record)
    {
        m_records.push_back(record);
        if (m_records.size() == size) {
            flush();
        }
    }

private:
    void flush()
    {
        m_builder.write(std::span<const R>(m_records));
        m_records.clear();
    }
    static constexpr std::size_t size = 1024;
    TraceBuilder& m_builder;
    std::vector<R> m_records;
};

/// "cudaMemcpyAsync_v3020" -> "cudaMemcpyAsync".
std::string_view without_version(std::string_view name)
{
    const auto last = name.find_last_not_of("0123456789");
    if (last != std::string_view::npos && last + 1 < name.size() && last >= 1 && name[last] == 'v'
        && name[last - 1] == '_') {
        return name.substr(0, last - 1);
    }
    return name;
}

std::string_view without_folder(std::string_view program)
{
    return program.substr(program.find_last_of("/\\") + 1);
}

/// A UUID as our records hold it: without Nsight's dashes.
std::string undashed(std::string_view uuid)
{
    std::string text(uuid);
    if (text.size() == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-') {
        text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
    }
    return text;
}

/// SQLite's messages may quote the file: so much of it as a line holds.
std::string one_line(std::string text)
{
    constexpr std::size_t most = 160;
    if (text.size() > most) {
        text.resize(most);
        text += "...";
    }
    std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c > 0x7E; }, '?');
    return text;
}

class Reader {
public:
    Reader(const std::string& path, const Progress& progress) : m_file(path, progress) {}

    Trace run()
    {
        read_meta();
        for (const char* table : {"StringIds", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL",
                                  "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "NVTX_EVENTS"}) {
            m_file.expect(table);
        }
        read_strings();
        read_ids();
        read_calls();
        read_own_operations();
        read_kernels();
        read_graphs();
        read_copies();
        read_memsets();
        read_syncs();
        read_events();
        read_overheads();
        read_memory();
        read_ranges();
        if (m_own) {
            read_own();
        }
        read_target();
        return finish();
    }

private:
    struct Text {
        std::string text;
        StringId id = 0;
        bool interned = false;
    };
    struct OwnOperation {
        std::uint32_t channel = no_id;
        bool async = false;
    };
    struct Ids {
        std::uint32_t process, thread;
    };

    void read_meta()
    {
        m_own = m_file.has_table("LANESCOPE_META");
        if (!m_own) {
            if (!m_file.has_table("StringIds")
                || !(m_file.has_table("META_DATA_EXPORT") || m_file.has_table("EXPORT_META_DATA")
                     || m_file.has_table("CUPTI_ACTIVITY_KIND_RUNTIME"))) {
                m_file.fail("is an SQLite file, but neither a recording of Lanescope nor an export of Nsight Systems");
            }
            for (const char* table : {"META_DATA_EXPORT", "EXPORT_META_DATA"}) {
                for (TableRows rows(m_file, table, {"name", "value"}); rows.next();) {
                    if (rows.text(0) == "EXPORT_PRODUCT_VERSION") {
                        m_meta["nsys_version"] = rows.text(1);
                    } else if (rows.text(0) == "EXPORT_SCHEMA_VERSION") {
                        m_meta["nsys_schema"] = rows.text(1);
                    }
                }
            }
            return;
        }
        for (TableRows rows(m_file, "LANESCOPE_META", {"key", "value"}); rows.next();) {
            m_meta.insert_or_assign(std::string(rows.text(0)), rows.text(1));
        }
        check_version(m_meta[meta::format_version]);
        m_meta.erase(meta::format_version);
    }

    void check_version(const std::string& version)
    {
        int major = -1;
        int minor = -1;
        const auto* end = version.data() + version.size();
        const auto [dot, error] = std::from_chars(version.data(), end, major);
        if (error != std::errc{} || dot == end || *dot != '.' || std::from_chars(dot + 1, end, minor).ptr != end
            || major < 0 || minor < 0) {
            m_file.fail("its format version is '" + version.substr(0, 40) + "', not a number like "
                        + std::to_string(layout::format_major) + "." + std::to_string(layout::format_minor));
        }
        const auto ours = std::to_string(layout::format_major) + "." + std::to_string(layout::format_minor);
        if (major != layout::format_major) {
            m_file.fail("is of format " + version + "; this Lanescope reads " + ours);
        }
        m_meta.erase(meta::notice);
        if (minor > layout::format_minor) {
            m_meta[meta::notice] = "written by a newer Lanescope (format " + version + ", this one reads " + ours
                                   + "): what it added is not shown";
        }
    }

    void read_strings()
    {
        for (TableRows rows(m_file, "StringIds", {"id", "value"}); rows.next();) {
            m_texts[rows.number(0)].text = rows.text(1);
        }
    }
    StringId text(std::int64_t id)
    {
        const auto found = m_texts.find(id);
        if (found == m_texts.end()) {
            return 0;
        }
        auto& entry = found->second;
        if (!entry.interned) {
            entry.id = m_builder.intern(entry.text);
            entry.interned = true;
        }
        return entry.id;
    }

    void read_ids()
    {
        for (TableRows rows(m_file, "LANESCOPE_PROCESS", {"globalPid", "process", "parent"}); rows.next();) {
            m_processes[rows.number(0)] = {rows.id(1), rows.id(2)};
        }
        for (TableRows rows(m_file, "LANESCOPE_THREAD", {"globalTid", "process", "thread"}); rows.next();) {
            m_threads[rows.number(0)] = {rows.id(1), rows.id(2)};
        }
    }
    /// The process of a globalPid, or of a globalTid.
    std::uint32_t process(const TableRows& rows, int column)
    {
        const auto global = rows.number(column, 0) & ~std::int64_t{0xFFFFFF};
        if (global != m_last_global_pid) {
            const auto own = m_processes.find(global);
            m_last_global_pid = global;
            m_last_pid = own == m_processes.end() ? layout::process_of(global) : own->second.process;
            m_used_processes.insert(m_last_pid);
        }
        return m_last_pid;
    }
    /// `used`: the thread did something that is shown.
    Ids thread(const TableRows& rows, int column, bool used = true)
    {
        if (rows.is_null(column)) {
            return {0, no_id};
        }
        const auto global = rows.number(column);
        if (global != m_last_global_tid) {
            const auto own = m_threads.find(global);
            m_last_global_tid = global;
            m_last_thread = own != m_threads.end() ? own->second
                                                   : Ids{layout::process_of(global), layout::thread_of(global)};
            m_last_used = false;
        }
        if (used && !m_last_used) {
            m_used_processes.insert(m_last_thread.process);
            m_used_threads.insert(global & 0xFFFFFFFFFFFF);
            m_last_used = true;
        }
        return m_last_thread;
    }

    void read_calls()
    {
        std::unordered_map<StringId, StringId> plain;  // names without their version
        Batch<ApiCallRecord> batch(m_builder);
        TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_RUNTIME",
                       {"start", "end", "eventClass", "globalTid", "correlationId", "nameId", "returnValue"});
        while (rows.next()) {
            const auto ids = thread(rows, 3);
            auto name = text(rows.number(5, 0));
            if (!m_own && name != 0) {
                auto& known = plain[name];
                if (known == 0) {
                    known = m_builder.intern(without_version(m_texts[rows.number(5, 0)].text));
                }
                name = known;
            }
            see(rows.number(0), rows.number(1));
            batch.add({rows.number(0), rows.number(1), ids.process, ids.thread, rows.id(4, 0), name,
                       rows.number(2, 0) == 1 ? ApiCallRecord::driver : ApiCallRecord::runtime,
                       static_cast<std::int32_t>(rows.number(6, 0))});
        }
    }

    void read_own_operations()
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
    OwnOperation own_operation(std::size_t kind, std::uint64_t row) const
    {
        return row <= m_own_operations[kind].size() ? m_own_operations[kind][row - 1] : OwnOperation{};
    }

    void see(Ns start, Ns end)
    {
        m_first_start = std::min(m_first_start, start);
        m_last_end = std::max(m_last_end, end);
    }

    /// What operations share; the columns are start, end, deviceId, contextId, streamId, correlationId, globalPid.
    void operation(OperationRecord& r, const TableRows& rows)
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

    void read_kernels()
    {
        Batch<KernelRecord> batch(m_builder);
        TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_KERNEL",
                       {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
                        "demangledName", "shortName", "registersPerThread", "gridX", "gridY", "gridZ", "blockX",
                        "blockY", "blockZ", "staticSharedMemory", "dynamicSharedMemory", "graphNodeId"});
        while (rows.next()) {
            KernelRecord r{};
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
            r.graph_node = static_cast<std::uint32_t>(rows.number(18, 0));  // 64 bits there, the low ones tell them apart
            r.channel = own_operation(0, rows.row()).channel;
            batch.add(r);
        }
    }

    void read_graphs()
    {
        Batch<KernelRecord> batch(m_builder);
        TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                       {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "graphId"});
        while (rows.next()) {  // the whole graph is one piece of work: its kernels are not recorded
            KernelRecord r{};
            operation(r, rows);
            r.name = r.shown_name = m_builder.intern("CUDA graph " + std::to_string(rows.number(7, 0)));
            r.channel = no_id;
            batch.add(r);
        }
    }

    void read_copies()
    {
        Batch<CopyRecord> batch(m_builder);
        TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_MEMCPY",
                       {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "bytes",
                        "copyKind", "srcKind", "dstKind", "srcDeviceId", "dstDeviceId", "graphNodeId"});
        while (rows.next()) {
            CopyRecord r{};
            operation(r, rows);
            r.bytes = rows.count(7);
            r.copy = layout::to_copy_kind(rows.number(8, 0));
            r.source = layout::to_memory_kind(rows.number(9, 7));
            r.target = layout::to_memory_kind(rows.number(10, 7));
            r.source_device = rows.id(11, no_id);
            r.target_device = rows.id(12, no_id);
            r.graph_node = static_cast<std::uint32_t>(rows.number(13, 0));
            const auto own = own_operation(1, rows.row());
            r.channel = own.channel;
            r.async = own.async ? 1 : 0;
            batch.add(r);
        }
    }

    void read_memsets()
    {
        Batch<MemsetRecord> batch(m_builder);
        TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_MEMSET",
                       {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "bytes",
                        "value", "memKind", "graphNodeId"});
        while (rows.next()) {
            MemsetRecord r{};
            operation(r, rows);
            r.bytes = rows.count(7);
            r.value = static_cast<std::uint32_t>(rows.number(8, 0));
            r.target = layout::to_memory_kind(rows.number(9, 7));
            r.graph_node = static_cast<std::uint32_t>(rows.number(10, 0));
            const auto own = own_operation(2, rows.row());
            r.channel = own.channel;
            r.async = own.async ? 1 : 0;
            batch.add(r);
        }
    }

    void read_syncs()
    {
        Batch<SyncRecord> batch(m_builder);
        TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                       {"start", "end", "contextId", "streamId", "correlationId", "globalPid", "syncType", "eventId",
                        "eventSyncId"});
        while (rows.next()) {
            const auto type = rows.number(6, 0);
            batch.add({rows.number(0), rows.number(1), process(rows, 5), rows.id(2, 0), rows.id(3, no_id), rows.id(4, 0),
                       rows.id(7, no_id), rows.id(8, 0),
                       type >= 1 && type <= 4 ? static_cast<SyncRecord::Type>(type) : SyncRecord::unknown, 0});
        }
    }

    void read_events()
    {
        Batch<EventRecord> batch(m_builder);
        TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
                       {"timestamp", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "eventId",
                        "eventSyncId"});
        while (rows.next()) {
            EventRecord r{};
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

    void read_overheads()
    {
        Batch<OverheadRecord> batch(m_builder);
        for (const char* table : {"CUPTI_ACTIVITY_KIND_OVERHEAD", "PROFILER_OVERHEAD"}) {
            TableRows rows(m_file, table, {"start", "end", "globalTid", "correlationId", "overheadType"});
            while (rows.next()) {
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

    void read_memory()
    {
        Batch<MemoryRecord> batch(m_builder);
        TableRows rows(m_file, "CUDA_GPU_MEMORY_USAGE_EVENTS",
                       {"start", "globalPid", "deviceId", "contextId", "address", "bytes", "memKind",
                        "memoryOperationType", "correlationId", "streamId"});
        while (rows.next()) {
            MemoryRecord r{};
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

    void read_ranges()
    {
        const std::initializer_list<const char*> columns = {"start", "end", "eventType", "color", "text", "globalTid", "textId", "domainId"};
        std::map<std::pair<std::uint32_t, std::int64_t>, StringId> domains;
        for (TableRows rows(m_file, "NVTX_EVENTS", columns); rows.next();) {
            if (rows.number(2, 0) == layout::nvtx_domain) {
                const auto name = rows.is_null(4) ? text(rows.number(6, 0)) : m_builder.intern(rows.text(4));
                domains[{thread(rows, 5).process, rows.number(7, 0)}] = name;
            }
        }
        Batch<RangeRecord> batch(m_builder);
        for (TableRows rows(m_file, "NVTX_EVENTS", columns); rows.next();) {
            const auto type = rows.number(2, 0);
            const bool mark = type == layout::nvtx_mark;
            if (!mark && type != layout::nvtx_push_pop && type != layout::nvtx_start_end
                && type != layout::nvtxt_push_pop && type != layout::nvtxt_start_end) {
                continue;
            }
            const auto ids = thread(rows, 5);
            const auto name = rows.is_null(4) ? text(rows.number(6, 0)) : m_builder.intern(rows.text(4));
            const auto domain = domains.find({ids.process, rows.number(7, 0)});
            batch.add({rows.number(0), rows.row(), ids.process, ids.thread, name,
                       domain == domains.end() ? 0 : domain->second, static_cast<std::uint32_t>(rows.number(3, 0)),
                       mark ? RangeRecord::mark : RangeRecord::begin});
            if (!mark && !rows.is_null(1)) {
                batch.add({rows.number(1), rows.row(), ids.process, ids.thread, 0, 0, 0, RangeRecord::finish});
            }
        }
    }

    void read_own()
    {
        for (TableRows rows(m_file, "LANESCOPE_STEP", {"start", "globalTid", "step", "instruction"}); rows.next();) {
            const auto ids = thread(rows, 1);
            m_builder.write(StepRecord{rows.number(0), ids.process, ids.thread, rows.id(2), rows.id(3)});
        }
        for (TableRows rows(m_file, "LANESCOPE_HOST_SPAN", {"start", "end", "globalTid", "nameId", "type"});
             rows.next();) {
            const auto ids = thread(rows, 2);
            const auto type = rows.number(4, 0);
            m_builder.write(HostSpanRecord{
                rows.number(0), rows.number(1), ids.process, ids.thread, text(rows.number(3, 0)),
                type >= 0 && type <= 3 ? static_cast<HostSpanRecord::Type>(type) : HostSpanRecord::work});
        }
        for (TableRows rows(m_file, "LANESCOPE_READ",
                            {"start", "end", "globalTid", "bufferId", "bytes", "wrongBytes", "expectStale"});
             rows.next();) {
            const auto ids = thread(rows, 2);
            m_builder.write(ReadRecord{rows.number(0), rows.number(1), ids.process, ids.thread, text(rows.number(3, 0)),
                                       rows.number(6, 0) != 0 ? 1U : 0U, rows.count(4), rows.count(5)});
        }
        for (TableRows rows(m_file, "LANESCOPE_ERROR", {"time", "globalTid", "step", "code", "messageId"});
             rows.next();) {
            const auto ids = thread(rows, 1);
            m_builder.write(ErrorRecord{rows.number(0), ids.process, ids.thread, rows.id(2, no_id),
                                        static_cast<std::int32_t>(rows.number(3, 0)), text(rows.number(4, 0))});
        }
    }

    /// What there was, of which an export names far more than the recording uses: every process of the machine.
    void read_target()
    {
        for (TableRows rows(m_file, "TARGET_INFO_CUDA_CONTEXT_INFO",
                            {"processId", "deviceId", "contextId", "nullStreamId"});
             rows.next();) {
            m_builder.write(ContextRecord{rows.id(0), rows.id(1), rows.id(2), rows.id(3, no_id)});
            m_used_processes.insert(rows.id(0));
            m_used_devices.insert(rows.id(1));
        }
        for (TableRows rows(m_file, "TARGET_INFO_CUDA_STREAM", {"processId", "contextId", "streamId", "priority", "flag"});
             rows.next();) {
            const auto flag = rows.number(4, 0);
            m_builder.write(StreamRecord{
                rows.id(0), rows.id(1), rows.id(2), static_cast<std::int32_t>(rows.number(3, 0)),
                flag >= 0 && flag <= 3 ? static_cast<StreamRecord::Flag>(flag) : StreamRecord::unknown, 0});
        }
        for (TableRows rows(m_file, "TARGET_INFO_NVTX_CUDA_STREAM", {"processId", "contextId", "streamId", "name"});
             rows.next();) {
            m_builder.write(StreamRecord{rows.id(0), rows.id(1), rows.id(2), 0, StreamRecord::unknown,
                                         m_builder.intern(rows.text(3))});
        }
        read_threads();
        read_devices();
    }

    void read_threads()
    {
        for (TableRows rows(m_file, "PROCESSES", {"globalPid", "name"}); rows.next();) {
            const auto global = rows.number(0, 0);
            const auto own = m_processes.find(global);
            const auto id = own == m_processes.end() ? layout::process_of(global) : own->second.process;
            if (own != m_processes.end() || m_used_processes.contains(id)) {
                m_builder.write(ProcessRecord{id, own == m_processes.end() ? 0 : own->second.thread,
                                              m_builder.intern(without_folder(rows.text(1))), 0});
            }
        }
        std::unordered_map<std::int64_t, std::uint32_t> places;
        for (TableRows rows(m_file, "LANESCOPE_THREAD", {"globalTid", "place"}); rows.next();) {
            places[rows.number(0)] = rows.id(1);
        }
        for (TableRows rows(m_file, "ThreadNames", {"globalTid", "nameId"}); rows.next();) {
            const auto global = rows.number(0, 0);
            const auto own = m_threads.find(global);
            if (own != m_threads.end()) {
                m_builder.write(ThreadRecord{own->second.process, own->second.thread, text(rows.number(1, 0)),
                                             places[global]});
            } else if (m_used_threads.contains(global & 0xFFFFFFFFFFFF)) {
                m_builder.write(ThreadRecord{layout::process_of(global), layout::thread_of(global),
                                             text(rows.number(1, 0)), no_id});
            }
        }
    }

    void read_devices()
    {
        std::map<std::uint32_t, std::uint32_t> cuda_of_gpu;  // the id that rows use may be another than the machine's
        for (TableRows rows(m_file, "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId"}); rows.next();) {
            if (!m_own && !rows.is_null(0)) {
                cuda_of_gpu.try_emplace(rows.id(0), rows.id(1));
            }
        }
        TableRows rows(m_file, "TARGET_INFO_GPU",
                       {"id", "name", "totalMemory", "memoryBandwidth", "clockRate", "smCount", "uuid", "asyncEngines",
                        "computeMajor", "computeMinor"});
        while (rows.next()) {
            DeviceRecord r{};
            const auto gpu = rows.id(0);
            const auto cuda = cuda_of_gpu.find(gpu);
            r.device = cuda == cuda_of_gpu.end() ? gpu : cuda->second;
            if (!m_own && !m_used_devices.contains(r.device)) {
                continue;
            }
            r.name = m_builder.intern(rows.text(1));
            r.memory_bytes = rows.count(2);
            r.memory_bandwidth = rows.count(3);
            r.core_clock_khz = static_cast<std::uint32_t>(rows.count(4) / 1000);
            r.multiprocessors = rows.id(5, 0);
            r.uuid = m_builder.intern(undashed(rows.text(6)));
            r.copy_engines = rows.id(7, 0);
            r.compute_major = rows.id(8, 0);
            r.compute_minor = rows.id(9, 0);
            m_builder.write(r);
        }
    }

    Trace finish()
    {
        Ns start = 0;
        for (TableRows rows(m_file, "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}); rows.next();) {
            start = rows.number(0, 0);
        }
        auto source = Source::nsys;
        if (m_own) {
            m_builder.keep_times(start);
            source = source_of(m_meta[meta::source], Source::cupti);
            if (const auto names = m_meta.find(meta::step_names); names != m_meta.end()) {
                m_builder.write_meta(meta::step_names, names->second);
            }
        }
        auto trace = m_builder.finish(source);
        if (m_own) {
            const auto& dropped = m_meta[meta::dropped];
            std::from_chars(dropped.data(), dropped.data() + dropped.size(), trace.dropped);
            trace.meta = std::move(m_meta);
        } else {
            // Both are ns of at most 2^63: their sum wraps rather than overflows.
            trace.origin = static_cast<Ns>(static_cast<std::uint64_t>(trace.origin) + static_cast<std::uint64_t>(start));
            trace.meta.merge(m_meta);
        }
        return trace;
    }

    UntrustedFile m_file;
    TraceBuilder m_builder;
    bool m_own = false;
    std::map<std::string, std::string> m_meta;
    std::unordered_map<std::int64_t, Text> m_texts;
    std::unordered_map<std::int64_t, Ids> m_processes;  ///< by globalPid; `thread` is the parent
    std::unordered_map<std::int64_t, Ids> m_threads;    ///< by globalTid
    std::int64_t m_last_global_pid = -1, m_last_global_tid = -1;
    std::uint32_t m_last_pid = 0, m_last_device = no_id;
    Ids m_last_thread{0, 0};
    bool m_last_used = false;
    Ns m_first_start = std::numeric_limits<Ns>::max(), m_last_end = std::numeric_limits<Ns>::min();  ///< of calls and operations
    std::set<std::uint32_t> m_used_processes, m_used_devices;
    std::set<std::int64_t> m_used_threads;
    std::array<std::vector<OwnOperation>, 4> m_own_operations;
};

}  // namespace

Trace read_sqlite(const std::string& path, const Progress& progress)
{
    if (progress && !progress(0)) {
        throw Cancelled();
    }
    try {
        return Reader(path, progress).run();
    } catch (const SqliteError& error) {
        if (error.code == SQLITE_INTERRUPT) {
            throw Cancelled();
        }
        if (error.code == SQLITE_CANTOPEN && error.system != 0) {
            throw std::system_error(error.system, std::generic_category(), path);
        }
        throw StoreError(path + ": cannot be read: " + one_line(error.what()));
    }
}

}  // namespace lanes
