// SPDX-License-Identifier: MIT
// Reads calls and what they issue.
#include "engine/store/builder_batch.h"
#include "engine/store/chrome/chrome_words.h"
#include "engine/store/in_order.h"
#include "engine/store/nsys_layout.h"
#include "engine/store/sqlite_reader.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/names/call_name.h"

#include <algorithm>
#include <limits>
#include <thread>
#include <utility>

namespace lanes {

SqliteReader::Helper::Helper(const UntrustedFile& first, bool own, const OwnOperations& operations)
    : file(first)
    , work(file, ids, own, operations)
{
    ids.read(file);
}

void SqliteReader::read_work()
{
    constexpr std::uint64_t worth_threads = 8'000'000;  // bytes
    constexpr unsigned most_threads = 8;  // taking the pieces, one at a time, costs about a tenth of making them
    const bool alone = m_file.row_limit() * 4 < worth_threads || m_most_rows != UntrustedFile::every_row;
    const auto threads = alone ? 1 : std::clamp(std::thread::hardware_concurrency(), 1U, most_threads);
    const SqliteWork work(m_file, m_ids, m_own, m_own_operations);
    std::vector<std::unique_ptr<Helper>> helpers;
    Workers workers {&work};
    for (unsigned thread = 1; thread < threads; ++thread) {
        workers.push_back(&helpers.emplace_back(std::make_unique<Helper>(m_file, m_own, m_own_operations))->work);
    }
    if (m_own && m_most_rows == UntrustedFile::every_row) {
        m_codes = row_codes::read(m_file);
    }
    read_pieces(workers, row_codes::calls, &SqliteWork::calls);
    read_own_operations(workers);
    read_pieces(workers, row_codes::kernels, &SqliteWork::kernels);
    read_graphs(work);
    read_pieces(workers, row_codes::copies, &SqliteWork::copies);
    read_pieces(workers, row_codes::memsets, &SqliteWork::memsets);
    m_codes.reset();
    read_syncs();
    read_events();
    for (auto& helper : helpers) {
        m_ids.seen.merge(std::move(helper->ids.seen));
    }
}

std::vector<std::optional<RowIds>> SqliteReader::pieces_of(const Workers& workers, const char* table)
{
    constexpr std::uint64_t rows = 16384;  // of kernels, about as many as a core's cache holds
    return m_file.pieces_of(table, workers.size() == 1 ? std::numeric_limits<std::uint32_t>::max() : rows);
}

template <Record R>
void SqliteReader::read_pieces(
    const Workers& workers, row_codes::Kind kind, WorkPiece<R> (SqliteWork::*read)(std::optional<RowChoice>) const)
{
    const char* table = row_codes::table_of(kind);
    const auto said = m_codes ? coded(*workers.front(), kind, read) : CodedRows<R> {};
    const auto pieces = pieces_of(workers, table);
    if (pieces.size() > 1) {
        m_builder.expect(R::kind, m_file.rows_of(table));
    }
    make_in_order<WorkPiece<R>>(
        pieces.size(), workers.size(),
        [&](std::size_t thread, std::size_t piece) {
            return m_codes && pieces[piece] ? workers[thread]->by_codes(table, *pieces[piece], said)
                                            : (workers[thread]->*read)(pieces[piece]);
        },
        [&](WorkPiece<R>&& piece) {
            if (!piece.names.empty()) {
                give_names(piece);
            }
            if (pieces.size() > 1) {
                m_builder.write(std::span<const R>(piece.records));
            } else {
                m_builder.take(std::move(piece.records));
            }
        });
}

template <Record R>
CodedRows<R> SqliteReader::coded(
    const SqliteWork& work, row_codes::Kind kind, WorkPiece<R> (SqliteWork::*read)(std::optional<RowChoice>) const)
{
    const auto& codes = (*m_codes)[kind];
    auto entries = (work.*read)(row_codes::entries_of(kind));
    if (entries.records.size() != codes.own.size()) {
        m_file.fail("table LANESCOPE_DICTIONARY names rows that " + std::string(row_codes::table_of(kind)) + " lacks");
    }
    give_names(entries);
    if constexpr (std::is_base_of_v<OperationRecord, R>) {
        for (std::size_t code = 0; code < codes.own.size(); ++code) {
            entries.records[code].channel = codes.own[code].channel;
            if constexpr (!std::is_same_v<R, KernelRecord>) {
                entries.records[code].async = codes.own[code].async ? 1 : 0;
            }
        }
    }
    return {std::move(entries.records), codes.codes};
}

void SqliteReader::give_names(WorkPiece<ApiCallRecord>& piece)
{
    std::vector<StringId> ids;
    for (const auto stored : piece.names) {
        const auto found = m_texts.find(stored);
        const std::string_view name = found == m_texts.end() ? "" : std::string_view(found->second.text);
        ids.push_back(m_builder.intern(m_own ? name : plain_call_name(name)));
    }
    for (auto& record : piece.records) {
        record.name = ids[record.name];
    }
}

void SqliteReader::give_names(WorkPiece<KernelRecord>& piece)
{
    std::vector<StringId> ids;
    for (const auto stored : piece.names) {
        ids.push_back(text(stored));
    }
    for (auto& record : piece.records) {
        record.shown_name = ids[record.shown_name];
        record.name = ids[record.name];
        record.name = record.name != 0 || m_own ? record.name : record.shown_name;
    }
}

void SqliteReader::read_own_operations(const Workers& workers)
{
    auto pieces = pieces_of(workers, "LANESCOPE_OPERATION");
    if (const auto known = static_cast<std::int64_t>(operations_by_codes()); known > 0) {
        std::erase_if(pieces, [&](const auto& piece) { return piece && piece->end <= known + 1; });
    }
    make_in_order<std::vector<OwnRow>>(
        pieces.size(), workers.size(),
        [&](std::size_t thread, std::size_t piece) { return workers[thread]->own_operations(pieces[piece]); },
        [&](std::vector<OwnRow>&& rows) {
            for (const auto& [kind, row, operation] : rows) {
                auto& of_kind = m_own_operations[kind];
                if (row > of_kind.size()) {
                    of_kind.resize(row);
                }
                of_kind[row - 1] = operation;
            }
        });
}

std::uint64_t SqliteReader::operations_by_codes() const
{
    std::uint64_t rows = 0;
    for (const auto& [kind, table] : row_codes::tables) {
        if (m_codes && kind != row_codes::calls) {
            const auto& coded = (*m_codes)[kind];
            rows += static_cast<std::uint64_t>(std::count_if(coded.codes.begin(), coded.codes.end(),
                [&](row_codes::Code code) { return coded.own[code].async || coded.own[code].channel != no_id; }));
        }
    }
    return rows;
}

void SqliteReader::read_graphs(const SqliteWork& work)
{
    BuilderBatch<KernelRecord> batch(m_builder);
    TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "graphId"});
    bool any = false;
    while (rows.next()) {  // the whole graph is one record: its kernels are not recorded
        if (!m_ids.has_length(rows)) {
            continue;
        }
        if (!std::exchange(any, true)) {
            m_builder.write_meta(meta::graphs, whole_graphs);
        }
        KernelRecord r {};
        work.operation(r, rows);
        r.graph = rows.id(7, 0);
        r.name = r.shown_name = m_builder.intern("CUDA graph " + std::to_string(rows.number(7, 0)));
        r.channel = no_id;
        batch.add(r);
    }
}

void SqliteReader::read_syncs()
{
    BuilderBatch<SyncRecord> batch(m_builder);
    TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
        {"start", "end", "contextId", "streamId", "correlationId", "globalPid", "syncType", "eventId", "eventSyncId"});
    while (m_ids.next_timed(rows, {0, 1})) {
        const auto type = rows.number(6, 0);
        batch.add({rows.number(0), rows.number(1), m_ids.process(rows, 5), rows.id(2, 0), rows.id(3, no_id),
            rows.id(4, 0), rows.id(7, no_id), rows.id(8, 0),
            type >= 1 && type <= 4 ? static_cast<SyncRecord::Type>(type) : SyncRecord::unknown, 0});
    }
}

void SqliteReader::read_events()
{
    BuilderBatch<EventRecord> batch(m_builder);
    TableRows rows(m_file, "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
        {"timestamp", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "eventId", "eventSyncId"});
    while (rows.next()) {
        EventRecord r {};
        r.device_time = rows.number(0, 0);
        r.device = rows.id(1, no_id);
        r.context = rows.id(2, 0);
        r.stream = rows.id(3, no_id);
        r.correlation = rows.id(4, 0);
        r.process = m_ids.process(rows, 5);
        r.event_id = rows.id(6, no_id);
        r.event_sync = rows.id(7, 0);
        batch.add(r);
    }
}

void SqliteReader::read_overheads()
{
    BuilderBatch<OverheadRecord> batch(m_builder);
    for (const char* table : {"CUPTI_ACTIVITY_KIND_OVERHEAD", "PROFILER_OVERHEAD"}) {
        TableRows rows(m_file, table, {"start", "end", "globalTid", "correlationId", "overheadType"});
        while (m_ids.next_timed(rows, {0, 1})) {
            const auto type = layout::to_overhead(rows.number(4, 0));
            const auto start = rows.number(0);
            const auto end = rows.number(1);
            // Nsight's own start-up and shut-down matter only where they fall within the program's work.
            if (m_own
                || (type != OverheadRecord::unknown && start < m_ids.seen.last_end && end > m_ids.seen.first_start)) {
                const auto ids = m_ids.thread(rows, 2, false);
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
        r.process = m_ids.process(rows, 1);
        r.device = rows.id(2, no_id);
        r.name = text(rows.number(3, 0));
        r.unit = unit >= 0 && unit <= CounterRecord::percent ? static_cast<CounterRecord::Unit>(unit)
                                                             : CounterRecord::none;
        counters.emplace(rows.number(0, 0), r);
    }
    m_builder.expect(RecordKind::counter, m_file.rows_of("LANESCOPE_SAMPLE"));
    BuilderBatch<CounterRecord> batch(m_builder);
    TableRows rows(m_file, "LANESCOPE_SAMPLE", {"counterId", "time", "value"});
    while (m_ids.next_timed(rows, {1})) {
        if (const auto of = counters.find(rows.number(0, 0)); of != counters.end()) {
            of->second.time = rows.number(1);
            of->second.value = std::bit_cast<std::uint64_t>(rows.real(2));
            batch.add(of->second);
        }
    }
}

void SqliteReader::read_gpu_metrics()
{
    // By GPU of the machine: a process that uses it, and the process's number for it; else the first process, same
    // number.
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> users;
    for (TableRows rows(m_file, "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"}); rows.next();) {
        if (m_ids.seen.processes.contains(rows.id(2, 0)) && m_ids.seen.devices.contains(rows.id(1, 0))) {
            users.try_emplace(rows.id(0, no_id), rows.id(2, 0), rows.id(1, 0));
        }
    }
    const auto first = m_ids.seen.processes.empty() ? 0 : *m_ids.seen.processes.begin();
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
    for (TableRows rows(m_file, "GPU_METRICS", {"timestamp", "typeId", "metricId", "value"});
         m_ids.next_timed(rows, {0});) {
        const auto time = rows.number(0);
        const auto of = metrics.find({rows.number(1, 0), rows.number(2, 0)});
        if (of != metrics.end() && time >= m_ids.seen.first_start && time <= m_ids.seen.last_end) {
            const auto value = rows.real(3);
            of->second.values.emplace_back(time, value);
            of->second.says_something = of->second.says_something || value != 0;
        }
    }
    BuilderBatch<CounterRecord> batch(m_builder);
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
    BuilderBatch<MemoryRecord> batch(m_builder);
    TableRows rows(m_file, "CUDA_GPU_MEMORY_USAGE_EVENTS",
        {"start", "globalPid", "deviceId", "contextId", "address", "bytes", "memKind", "memoryOperationType",
            "correlationId", "streamId"});
    while (m_ids.next_timed(rows, {0})) {
        MemoryRecord r {};
        r.time = rows.number(0);
        r.process = m_ids.process(rows, 1);
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
        r.async = own_operation(m_own_operations, 3, rows.row()).async ? 1 : 0;
        batch.add(r);
    }
}

void SqliteReader::read_graph_nodes()
{
    BuilderBatch<GraphNodeRecord> batch(m_builder);
    TableRows rows(
        m_file, "CUDA_GRAPH_NODE_EVENTS", {"start", "globalTid", "graphNodeId", "originalGraphNodeId", "nameId"});
    const auto made = m_builder.intern(layout::graph_node_made);
    const auto copied = m_builder.intern(layout::graph_node_copied);
    while (m_ids.next_timed(rows, {0})) {
        const auto of = m_ids.thread(rows, 1);
        const auto id = layout::to_graph_node(rows.number(2, 0), m_own);
        const auto original = layout::to_graph_node(rows.number(3, 0), m_own);
        const auto name = m_own ? text(rows.number(4, 0)) : 0;
        batch.add({rows.number(0), of.process, of.thread, id.graph, id.node, original.graph, original.node,
            name == made || name == copied ? 0 : name});
    }
}

}  // namespace lanes
