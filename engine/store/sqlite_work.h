// SPDX-License-Identifier: MIT
// Reads the large tables of an SQLite recording, of calls and what they issue, in pieces; private to engine/store.
//
// Several readers, each with its connection, read pieces of one table at the same time. They know no texts: a name in a
// record is a place in the piece's list of stored ids.
#pragma once

#include "engine/store/row_codes.h"
#include "engine/store/sqlite_ids.h"
#include "probes/record.h"

#include <array>
#include <optional>
#include <vector>

namespace lanes {

/// By kind: kernels, copies, memsets, allocations; then by row - 1.
using OwnOperations = std::array<std::vector<OwnOperation>, 4>;
OwnOperation own_operation(const OwnOperations& operations, std::size_t kind, std::uint64_t row);

/// Records of a piece of a table; the names in them are places in `names`, which are ids of stored texts.
template <Record R> struct WorkPiece {
    std::vector<R> records;
    std::vector<std::int64_t> names;
};
/// The contents of a table's rows by their codes.
template <Record R> struct CodedRows {
    std::vector<R> said;  ///< by code; with the trace's names, and the times of one of its rows
    std::span<const row_codes::Code> codes;  ///< by row - 1; each less than the number of codes
};
/// A row of LANESCOPE_OPERATION.
struct OwnRow {
    std::size_t kind;
    std::uint64_t row;
    OwnOperation operation;
};

class SqliteWork {
public:
    /// All must outlive it. `own`: a recording of ours. `operations` must be complete before operations are read.
    SqliteWork(UntrustedFile& file, SqliteIds& ids, bool own, const OwnOperations& operations)
        : m_file(file)
        , m_ids(ids)
        , m_own(own)
        , m_operations(operations)
    {
    }

    /// `chosen`: the rows of the piece; none: the whole table. Errors are TableRows'.
    std::vector<OwnRow> own_operations(std::optional<RowChoice> chosen) const;
    WorkPiece<ApiCallRecord> calls(std::optional<RowChoice> chosen) const;
    WorkPiece<KernelRecord> kernels(std::optional<RowChoice> chosen) const;
    WorkPiece<CopyRecord> copies(std::optional<RowChoice> chosen) const;
    WorkPiece<MemsetRecord> memsets(std::optional<RowChoice> chosen) const;
    /// The result of one of the four, without the list of names, at a third of the cost.
    template <Record R> WorkPiece<R> by_codes(const char* table, const RowIds& ids, const CodedRows<R>& coded) const;

    /// Fills what all operations have; the columns are start, end, deviceId, contextId, streamId, correlationId,
    /// globalPid.
    void operation(OperationRecord& r, const TableRows& rows) const;

private:
    /// A record for each row with times, the first two columns. Calls `fill(record, rows, names)`.
    template <Record R>
    WorkPiece<R> piece(const char* table, std::optional<RowChoice> chosen, std::initializer_list<const char*> columns,
        auto&& fill) const;
    /// Our files have the node itself; others have CUPTI's id of 64 bits.
    void graph_node(OperationRecord& r, std::int64_t stored) const;

    UntrustedFile& m_file;
    SqliteIds& m_ids;
    bool m_own;
    const OwnOperations& m_operations;
};

template <Record R>
WorkPiece<R> SqliteWork::by_codes(const char* table, const RowIds& ids, const CodedRows<R>& coded) const
{
    WorkPiece<R> piece;
    piece.records.reserve(static_cast<std::size_t>(ids.end - ids.first));
    TableRows rows(m_file, table, {"start", "end", "correlationId"}, ids);
    rows.each([&] {
        if (rows.row() > coded.codes.size()) {
            m_file.fail("table LANESCOPE_CODES has none for row " + std::to_string(rows.row()) + " of " + table);
        }
        if (std::is_base_of_v<OperationRecord, R> ? m_ids.has_length(rows) : m_ids.has_time(rows, {0, 1})) {
            auto& record = piece.records.emplace_back(coded.said[coded.codes[rows.row() - 1]]);
            record.start = rows.number(0);
            record.end = rows.number(1);
            record.correlation = rows.id(2, 0);
            m_ids.times(record.start, record.end);
        }
    });
    return piece;
}

}  // namespace lanes
