// SPDX-License-Identifier: MIT
// Reads the large tables of an SQLite recording, of calls and what they cause, in pieces; private to engine/store.
//
// Several readers, each with a connection of its own, read pieces of one table at the same time. They know no texts:
// a name in a record is a place in the piece's list of stored ids.
#pragma once

#include "engine/store/sqlite_ids.h"
#include "probes/record.h"

#include <array>
#include <optional>
#include <vector>

namespace lanes {

/// Of one of our operations, what the layout has no column for. The row of its table counts from 1.
struct OwnOperation {
    std::uint32_t channel = no_id;
    bool async = false;
};
/// By kind: kernels, copies, memsets, allocations; then by row - 1.
using OwnOperations = std::array<std::vector<OwnOperation>, 4>;
OwnOperation own_operation(const OwnOperations& operations, std::size_t kind, std::uint64_t row);

/// Records of a piece of a table; the names in them are places in `names`, which are ids of stored texts.
template <Record R> struct WorkPiece {
    std::vector<R> records;
    std::vector<std::int64_t> names;
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

    /// `ids`: the piece; none: the whole table. Errors are TableRows'.
    std::vector<OwnRow> own_operations(std::optional<RowIds> ids) const;
    WorkPiece<ApiCallRecord> calls(std::optional<RowIds> ids) const;
    WorkPiece<KernelRecord> kernels(std::optional<RowIds> ids) const;
    WorkPiece<CopyRecord> copies(std::optional<RowIds> ids) const;
    WorkPiece<MemsetRecord> memsets(std::optional<RowIds> ids) const;

    /// What operations share; the columns are start, end, deviceId, contextId, streamId, correlationId, globalPid.
    void operation(OperationRecord& r, const TableRows& rows) const;

private:
    /// A record of each row that has its times, the first two columns. `fill(record, rows, names)`.
    template <Record R>
    WorkPiece<R> piece(
        const char* table, std::optional<RowIds> ids, std::initializer_list<const char*> columns, auto&& fill) const;
    /// Ours are stored as they are; elsewhere CUPTI's id of 64 bits is.
    std::uint32_t graph_node(std::int64_t stored) const;

    UntrustedFile& m_file;
    SqliteIds& m_ids;
    bool m_own;
    const OwnOperations& m_operations;
};

}  // namespace lanes
