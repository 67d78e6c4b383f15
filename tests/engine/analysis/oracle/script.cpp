// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/script.h"
#include "tests/engine/analysis/oracle/table.h"

namespace oracle {

namespace {

constexpr auto layout = R"(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, "end" INTEGER NOT NULL, eventClass INTEGER NOT NULL,
    globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, "end" INTEGER, deviceId INTEGER, contextId INTEGER NOT NULL,
    streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL,
    shortName INTEGER NOT NULL, graphNodeId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, "end" INTEGER, deviceId INTEGER, contextId INTEGER NOT NULL,
    streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL,
    copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, "end" INTEGER, deviceId INTEGER, contextId INTEGER NOT NULL,
    streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, value INTEGER NOT NULL,
    bytes INTEGER NOT NULL, memKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, "end" INTEGER, deviceId INTEGER,
    contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
    syncType INTEGER NOT NULL, eventId INTEGER NOT NULL, eventSyncId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (timestamp INTEGER, deviceId INTEGER, contextId INTEGER NOT NULL,
    streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, eventId INTEGER NOT NULL, eventSyncId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (start INTEGER, "end" INTEGER, eventClass INTEGER, globalTid INTEGER,
    correlationId INTEGER, nameId INTEGER, overheadType INTEGER NOT NULL);
CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER, globalPid INTEGER, deviceId INTEGER, contextId INTEGER,
    address INTEGER, bytes INTEGER, memKind INTEGER, memoryOperationType INTEGER NOT NULL, correlationId INTEGER,
    streamId INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, "end" INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER,
    text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER NOT NULL, name TEXT, busLocation TEXT, uuid TEXT);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL, uuid TEXT);
CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (nullStreamId INTEGER, processId INTEGER, deviceId INTEGER,
    contextId INTEGER NOT NULL);
CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER, processId INTEGER, contextId INTEGER, priority INTEGER,
    flag INTEGER);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
)";

constexpr auto own_layout = R"(
CREATE TABLE LANESCOPE_META (key TEXT NOT NULL, value TEXT NOT NULL);
CREATE TABLE LANESCOPE_PROCESS (globalPid INTEGER NOT NULL, process INTEGER NOT NULL, parent INTEGER NOT NULL);
CREATE TABLE LANESCOPE_THREAD (globalTid INTEGER NOT NULL, process INTEGER NOT NULL, thread INTEGER NOT NULL,
    place INTEGER NOT NULL);
CREATE TABLE LANESCOPE_OPERATION (kind INTEGER NOT NULL, row INTEGER NOT NULL, channel INTEGER, async INTEGER NOT NULL);
CREATE TABLE LANESCOPE_STEP (start INTEGER NOT NULL, globalTid INTEGER, step INTEGER NOT NULL,
    instruction INTEGER NOT NULL);
CREATE TABLE LANESCOPE_READ (start INTEGER NOT NULL, "end" INTEGER NOT NULL, globalTid INTEGER,
    bufferId INTEGER NOT NULL, bytes INTEGER NOT NULL, wrongBytes INTEGER NOT NULL, expectStale INTEGER NOT NULL);
CREATE TABLE LANESCOPE_HOST_SPAN (start INTEGER NOT NULL, "end" INTEGER NOT NULL, globalTid INTEGER,
    nameId INTEGER NOT NULL, type INTEGER NOT NULL);
CREATE TABLE LANESCOPE_HOST_FUNCTION (start INTEGER, "end" INTEGER, globalPid INTEGER NOT NULL,
    contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER);
CREATE TABLE LANESCOPE_QUERY_SPIN (start INTEGER NOT NULL, "end" INTEGER NOT NULL, globalTid INTEGER,
    correlationId INTEGER NOT NULL, queries INTEGER NOT NULL, succeeded INTEGER);
INSERT INTO LANESCOPE_META VALUES ('format_version', '1.0');
INSERT INTO LANESCOPE_META VALUES ('source', 'cupti');
INSERT INTO LANESCOPE_META VALUES ('dropped', '0');
)";

std::string quoted(const std::string& text)
{
    return "'" + text + "'";
}
std::string or_null(std::int64_t number, std::int64_t null = 0)
{
    return number == null ? "NULL" : std::to_string(number);
}

/// "1, 2, NULL": numbers and SQL.
template <class... Values> std::string list(const Values&... values)
{
    std::string text;
    const auto one = [&text](const auto& value) {
        text += text.empty() ? "" : ", ";
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) {
            text += std::to_string(value);
        } else {
            text += value;
        }
    };
    (one(values), ...);
    return text;
}

}  // namespace

Script& Script::as(std::int64_t process, std::int64_t thread)
{
    m_process = process;
    m_thread = thread;
    return *this;
}

Script& Script::in(std::int64_t context, std::int64_t device)
{
    m_context = context;
    m_device = device;
    return *this;
}

std::int64_t Script::text(const std::string& value)
{
    return m_texts.try_emplace(value, static_cast<std::int64_t>(m_texts.size()) + 1).first->second;
}

std::string Script::pid() const
{
    return std::to_string(std::int64_t {1} << 48 | m_process << 24);
}

std::string Script::tid() const
{
    return std::to_string(std::int64_t {1} << 48 | m_process << 24 | m_thread);
}

void Script::add(const std::string& table, const std::string& values)
{
    m_rows += "INSERT INTO " + table + " VALUES (" + values + ");\n";
}

void Script::gpu(std::int64_t id, const std::string& name, const std::string& uuid)
{
    add("TARGET_INFO_GPU", list(0, id, quoted(name), "NULL", quoted(uuid)));
}

void Script::device_of_process(std::int64_t id, std::int64_t number)
{
    add("TARGET_INFO_CUDA_DEVICE", list(id, number, m_process, "NULL"));
}

void Script::context(std::int64_t null_stream)
{
    add("TARGET_INFO_CUDA_CONTEXT_INFO", list(null_stream, m_process, m_device, m_context));
}

void Script::stream(std::int64_t id, std::int64_t flag)
{
    add("TARGET_INFO_CUDA_STREAM", list(id, m_process, m_context, 0, flag));
}

void Script::thread(const std::string& name, std::int64_t place)
{
    add("ThreadNames", list(text(name), "NULL", tid()));
    if (m_own) {
        add("LANESCOPE_THREAD", list(tid(), m_process, m_thread, place));
    }
}

std::int64_t Script::call(const std::string& name, Ns start, Ns end, bool inner, std::int64_t result)
{
    add("CUPTI_ACTIVITY_KIND_RUNTIME",
        list(start, end, inner ? 1 : 0, tid(), ++m_correlations[m_process], text(name), result));
    return m_correlations[m_process];
}

void Script::kernel(
    std::int64_t correlation, std::int64_t stream, Ns start, Ns end, const std::string& name, std::int64_t graph_node)
{
    add("CUPTI_ACTIVITY_KIND_KERNEL",
        list(start, end, m_device, m_context, stream, or_null(correlation), pid(), text(name + "(int)"), text(name),
            or_null(graph_node)));
}

void Script::own_operation(int kind, std::int64_t row, bool async)
{
    if (m_own && async) {
        add("LANESCOPE_OPERATION", list(kind, row, "NULL", 1));
    }
}

void Script::copy(std::int64_t correlation, std::int64_t stream, Ns start, Ns end, std::int64_t kind,
    std::int64_t source, std::int64_t target, bool async)
{
    add("CUPTI_ACTIVITY_KIND_MEMCPY",
        list(start, end, m_device, m_context, stream, or_null(correlation), pid(), 4096, kind, source, target));
    own_operation(1, ++m_copies, async);
}

void Script::memset(std::int64_t correlation, std::int64_t stream, Ns start, Ns end, std::int64_t memory, bool async)
{
    add("CUPTI_ACTIVITY_KIND_MEMSET",
        list(start, end, m_device, m_context, stream, or_null(correlation), pid(), 0, 4096, memory));
    own_operation(2, ++m_memsets, async);
}

void Script::sync(std::int64_t correlation, Sync::Type type, Ns start, Ns end, std::int64_t stream, std::int64_t event,
    std::int64_t event_sync)
{
    add("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
        list(start, end, m_device, m_context, stream, or_null(correlation), pid(), static_cast<int>(type), event,
            or_null(event_sync)));
}

void Script::event(std::int64_t correlation, std::int64_t stream, std::int64_t event, std::int64_t event_sync)
{
    add("CUPTI_ACTIVITY_KIND_CUDA_EVENT",
        list(0, m_device, m_context, stream, or_null(correlation), pid(), event, or_null(event_sync)));
}

void Script::overhead(std::int64_t correlation, std::int64_t type, Ns start, Ns end)
{
    add("CUPTI_ACTIVITY_KIND_OVERHEAD", list(start, end, 103, tid(), or_null(correlation), "NULL", type));
}

void Script::allocation(std::int64_t correlation, Ns time, bool release)
{
    add("CUDA_GPU_MEMORY_USAGE_EVENTS",
        list(time, pid(), m_device, m_context, 0x1000, 4096, 2, release ? 1 : 0, or_null(correlation), "NULL"));
}

void Script::host_function(std::int64_t correlation, std::int64_t stream, std::optional<std::pair<Ns, Ns>> time)
{
    if (m_own) {
        add("LANESCOPE_HOST_FUNCTION",
            list(time ? std::to_string(time->first) : "NULL", time ? std::to_string(time->second) : "NULL", pid(),
                m_context, stream, or_null(correlation)));
    }
}

void Script::spin(std::int64_t correlation, Ns start, Ns end, std::int64_t queries, std::optional<bool> succeeded)
{
    if (m_own) {
        add("LANESCOPE_QUERY_SPIN",
            list(start, end, tid(), correlation, queries, succeeded ? std::to_string(*succeeded ? 1 : 0) : "NULL"));
    }
}

void Script::range(const std::string& name, Ns start, std::optional<Ns> end)
{
    add("NVTX_EVENTS",
        list(start, end ? std::to_string(*end) : "NULL", 59, ++m_ranges, quoted(name), tid(), "NULL", 0));
}

void Script::mark(const std::string& name, Ns time)
{
    add("NVTX_EVENTS", list(time, "NULL", 34, ++m_ranges, quoted(name), tid(), "NULL", 0));
}

void Script::span(std::int64_t type, Ns start, Ns end)
{
    if (m_own) {
        add("LANESCOPE_HOST_SPAN", list(start, end, tid(), text("span"), type));
    }
}

void Script::step(std::int64_t number, Ns start)
{
    if (m_own) {
        add("LANESCOPE_STEP", list(start, tid(), number, number));
    }
}

void Script::read(const std::string& buffer, Ns start, Ns end, std::int64_t bytes, std::int64_t wrong_bytes)
{
    if (m_own) {
        add("LANESCOPE_READ", list(start, end, tid(), text(buffer), bytes, wrong_bytes, 0));
    }
}

void Script::meta(const std::string& key, const std::string& value)
{
    if (m_own) {
        add("LANESCOPE_META", list(quoted(key), quoted(value)));
    }
}

void Script::save(const std::string& path) const
{
    const Database file(path, true);
    file.run("PRAGMA page_size = 512; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;");
    file.run(layout);
    if (m_own) {
        file.run(own_layout);
    } else {
        file.run("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.25.0');");
    }
    file.run(m_rows);
    for (const auto& [value, id] : m_texts) {
        file.run("INSERT INTO StringIds VALUES (" + std::to_string(id) + ", " + quoted(value) + ");");
    }
    file.run("COMMIT;");
}

}  // namespace oracle
