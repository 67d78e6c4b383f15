// SPDX-License-Identifier: MIT
#include "engine/store/sqlite_work.h"
#include "engine/store/chrome/chrome_words.h"
#include "engine/store/nsys_layout.h"

#include <limits>
#include <unordered_map>

namespace lanes {

namespace {

/// Gives each stored id its place in a list.
class StoredNames {
public:
    explicit StoredNames(std::vector<std::int64_t>& names)
        : m_names(names)
    {
        m_names = {nothing};
    }
    StringId place_of(std::int64_t stored)
    {
        auto& known = m_recent[static_cast<std::size_t>(stored) % m_recent.size()];
        if (known.stored != stored) {
            const auto [place, first] = m_places.try_emplace(stored, static_cast<StringId>(m_names.size()));
            if (first) {
                m_names.push_back(stored);
            }
            known = {stored, place->second};
        }
        return known.place;
    }

private:
    static constexpr auto nothing = std::numeric_limits<std::int64_t>::min();
    struct Known {
        std::int64_t stored = nothing;
        StringId place = 0;
    };
    std::vector<std::int64_t>& m_names;
    std::array<Known, 256> m_recent;  // the last look-ups, each at its stored id modulo their number
    std::unordered_map<std::int64_t, StringId> m_places {{nothing, 0}};
};

}  // namespace

OwnOperation own_operation(const OwnOperations& operations, std::size_t kind, std::uint64_t row)
{
    const auto& of_kind = operations[kind];
    return row >= 1 && row <= of_kind.size() ? of_kind[row - 1] : OwnOperation {};
}

void SqliteWork::graph_node(OperationRecord& r, std::int64_t stored) const
{
    const auto id = layout::to_graph_node(stored, m_own);
    r.graph = id.graph;
    r.graph_node = id.node;
}

template <Record R>
WorkPiece<R> SqliteWork::piece(
    const char* table, std::optional<RowChoice> chosen, std::initializer_list<const char*> columns, auto&& fill) const
{
    WorkPiece<R> piece;
    StoredNames names(piece.names);
    piece.records.reserve(chosen ? chosen->most : m_file.rows_of(table));
    TableRows rows(m_file, table, columns, std::move(chosen));
    rows.each([&] {
        if (std::is_base_of_v<OperationRecord, R> ? m_ids.has_length(rows) : m_ids.has_time(rows, {0, 1})) {
            fill(piece.records.emplace_back(), rows, names);
        }
    });
    return piece;
}

std::vector<OwnRow> SqliteWork::own_operations(std::optional<RowChoice> chosen) const
{
    std::vector<OwnRow> found;
    TableRows rows(m_file, "LANESCOPE_OPERATION", {"kind", "row", "channel", "async"}, std::move(chosen));
    rows.each([&] {
        const auto kind = rows.number(0);
        const auto row = rows.number(1);
        if (kind < 0 || kind > 3 || row < 1 || static_cast<std::uint64_t>(row) > m_file.row_limit()) {
            m_file.fail("table LANESCOPE_OPERATION, row " + std::to_string(rows.row()) + ": no such operation");
        }
        found.push_back({static_cast<std::size_t>(kind), static_cast<std::uint64_t>(row),
            {rows.id(2, no_id), rows.number(3, 0) != 0}});
    });
    return found;
}

WorkPiece<ApiCallRecord> SqliteWork::calls(std::optional<RowChoice> chosen) const
{
    return piece<ApiCallRecord>("CUPTI_ACTIVITY_KIND_RUNTIME", std::move(chosen),
        {"start", "end", "eventClass", "globalTid", "correlationId", "nameId", "returnValue"},
        [this](ApiCallRecord& r, const TableRows& rows, StoredNames& names) {
            const auto of = m_ids.thread(rows, 3);
            m_ids.times(rows.number(0), rows.number(1));
            r = {rows.number(0), rows.number(1), of.process, of.thread, rows.id(4, 0),
                names.place_of(rows.number(5, 0)),
                rows.number(2, 0) == 1 ? ApiCallRecord::driver : ApiCallRecord::runtime,
                static_cast<std::int32_t>(rows.number(6, 0))};
        });
}

void SqliteWork::operation(OperationRecord& r, const TableRows& rows) const
{
    r.start = rows.number(0);
    r.end = rows.number(1);
    m_ids.times(r.start, r.end);
    r.device = rows.id(2, 0);
    r.context = rows.id(3, 0);
    r.stream = rows.id(4, 0);
    r.correlation = rows.id(5, 0);
    r.process = m_ids.process(rows, 6);
    m_ids.device(r.device);
}

WorkPiece<KernelRecord> SqliteWork::kernels(std::optional<RowChoice> chosen) const
{
    return piece<KernelRecord>("CUPTI_ACTIVITY_KIND_KERNEL", std::move(chosen),
        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "demangledName",
            "shortName", "registersPerThread", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ",
            "staticSharedMemory", "dynamicSharedMemory", "graphNodeId", "graphId"},
        [this](KernelRecord& r, const TableRows& rows, StoredNames& names) {
            operation(r, rows);
            r.name = names.place_of(rows.number(7, 0));
            r.shown_name = names.place_of(rows.number(8, 0));
            r.registers = rows.id(9, 0);
            for (int i = 0; i < 3; ++i) {
                r.grid[i] = rows.id(10 + i, 0);
                r.block[i] = rows.id(13 + i, 0);
            }
            r.static_shared = rows.id(16, 0);
            r.dynamic_shared = rows.id(17, 0);
            graph_node(r, rows.number(18, 0));
            if (r.graph_node == 0) {  // as a whole
                r.graph = rows.id(19, 0);
            }
            r.channel = own_operation(m_operations, 0, rows.row()).channel;
        });
}

WorkPiece<CopyRecord> SqliteWork::copies(std::optional<RowChoice> chosen) const
{
    return piece<CopyRecord>("CUPTI_ACTIVITY_KIND_MEMCPY", std::move(chosen),
        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "bytes", "copyKind",
            "srcKind", "dstKind", "srcDeviceId", "dstDeviceId", "graphNodeId"},
        [this](CopyRecord& r, const TableRows& rows, StoredNames&) {
            operation(r, rows);
            r.bytes = rows.count(7);
            r.copy = layout::to_copy_kind(rows.number(8, 0));
            r.stream = layout::is_migration(rows.number(8, 0)) ? no_id : r.stream;
            r.source = layout::to_memory_kind(rows.number(9, 7));
            r.target = layout::to_memory_kind(rows.number(10, 7));
            r.source_device = rows.id(11, no_id);
            r.target_device = rows.id(12, no_id);
            graph_node(r, rows.number(13, 0));
            const auto own = own_operation(m_operations, 1, rows.row());
            r.channel = own.channel;
            r.async = own.async ? 1 : 0;
        });
}

WorkPiece<MemsetRecord> SqliteWork::memsets(std::optional<RowChoice> chosen) const
{
    return piece<MemsetRecord>("CUPTI_ACTIVITY_KIND_MEMSET", std::move(chosen),
        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "bytes", "value", "memKind",
            "graphNodeId"},
        [this](MemsetRecord& r, const TableRows& rows, StoredNames&) {
            operation(r, rows);
            r.bytes = rows.count(7);
            r.value = static_cast<std::uint32_t>(rows.number(8, 0));
            r.target = layout::to_memory_kind(rows.number(9, 7));
            graph_node(r, rows.number(10, 0));
            const auto own = own_operation(m_operations, 2, rows.row());
            r.channel = own.channel;
            r.async = own.async ? 1 : 0;
        });
}

}  // namespace lanes
