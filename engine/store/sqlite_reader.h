// SPDX-License-Identifier: MIT
// Reads an SQLite recording, ours or Nsight's, into a trace; private to engine/store.
//
// Nothing about the file is taken for granted: missing tables and columns read as empty. The builder joins and sorts,
// as it does for records.
#pragma once

#include "engine/store/builder_batch.h"
#include "engine/store/sqlite_work.h"

#include <array>
#include <map>
#include <unordered_map>

namespace lanes {

class SqliteReader {
public:
    /// Reads `most_rows` of each table of events.
    SqliteReader(const std::string& path, const Progress& progress, std::uint64_t most_rows)
        : m_path(path)
        , m_reading(progress.part(0, reading_share))
        , m_finishing(progress.part(reading_share, 1))
        , m_file(path, m_reading)
        , m_most_rows(most_rows)
    {
    }

    Trace run();

private:
    /// Reads the tables of calls and of what they issue, large ones in pieces on several threads.
    void read_work();
    /// A connection of another thread.
    struct Helper {
        Helper(const UntrustedFile& first, bool own, const OwnOperations& operations);
        UntrustedFile file;
        SqliteIds ids;
        SqliteWork work;
    };
    using Workers = std::vector<const SqliteWork*>;  // one for each thread
    template <Record R>
    void read_pieces(
        const Workers& workers, row_codes::Kind kind, WorkPiece<R> (SqliteWork::*read)(std::optional<RowChoice>) const);
    /// The contents of a kind's codes, which `read` reads.
    template <Record R>
    CodedRows<R> coded(
        const SqliteWork& work, row_codes::Kind kind, WorkPiece<R> (SqliteWork::*read)(std::optional<RowChoice>) const);
    /// Replaces the places of names by ids of the trace.
    void give_names(WorkPiece<ApiCallRecord>& piece);
    void give_names(WorkPiece<KernelRecord>& piece);
    template <Record R> void give_names(WorkPiece<R>&) { }  // others have none
    void read_own_operations(const Workers& workers);
    /// How many rows at the beginning of LANESCOPE_OPERATION only repeat the codes.
    std::uint64_t operations_by_codes() const;
    std::vector<std::optional<RowIds>> pieces_of(const Workers& workers, const char* table);

    struct Text {
        std::string text;
        StringId id = 0;
        bool interned = false;
    };
    void read_meta();
    bool is_export();

    void check_version(const std::string& version);

    void read_strings();
    StringId text(std::int64_t id);
    StringId known_text(std::int64_t id);

    void read_graphs(const SqliteWork& work);
    void read_syncs();
    void read_events();
    void read_overheads();
    void read_memory();
    void read_graph_nodes();
    void read_ranges();
    void read_own();
    template <class Table> void read_rows(Table table, const layout::Table& layout, bool used = true);
    template <class Record, class Column>
    void take(Record& record, const Column& column, const TableRows& rows, int at, bool may_be_null, bool used);
    void read_counters();
    /// Reads Nsight Systems' samples of GPU hardware, for GPUs on which the program has work.
    void read_gpu_metrics();
    /// Counts rows that no lane shows: page faults of unified memory, rows of older tables beside newer ones. Names the
    /// tables that are not read.
    void count_left_out();
    std::vector<UserMark> read_marks();

    /// Reads all that the export names, far more than the recording uses: it lists every process of the machine.
    void read_target();
    void read_threads();
    void read_devices();

    Trace finish();

    static constexpr double reading_share = 0.75;  // the rest is joining and sorting
    std::string m_path;
    Progress m_reading, m_finishing;
    UntrustedFile m_file;
    std::uint64_t m_most_rows;
    TraceBuilder m_builder;
    bool m_own = false;
    std::map<std::string, std::string> m_meta;
    std::unordered_map<std::int64_t, Text> m_texts;
    struct RecentText {
        std::int64_t stored = -1;
        StringId id = 0;
    };
    std::array<RecentText, 1024> m_recent_texts;  ///< the last look-ups, each at its stored id modulo their number
    SqliteIds m_ids;
    OwnOperations m_own_operations;
    std::optional<std::array<row_codes::Coded, row_codes::kinds>> m_codes;  ///< if it is a large recording of ours
};

}  // namespace lanes
