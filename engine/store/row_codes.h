// SPDX-License-Identifier: MIT
// Codes for what the rows of a large recording say again and again; private to engine/store.
//
// Of ten million kernels most are a launch of the same few: their rows differ in their times and their correlation, and
// repeat the rest. As in a columnar store, LANESCOPE_DICTIONARY has one row for all that say the same, with its number
// the code, and LANESCOPE_CODES the codes of all rows, 16 bits each in a blob. The layout's tables stay complete: who
// does not know the codes loses nothing by it, and who does reads five cells of a row instead of up to twenty-four.
#pragma once

#include "engine/store/sqlite_insert.h"
#include "engine/store/sqlite_table.h"

#include <array>
#include <string>
#include <unordered_map>

namespace lanes {

/// Of one of our operations, what the layout has no column for.
struct OwnOperation {
    std::uint32_t channel = no_id;
    bool async = false;
};

namespace row_codes {

/// The tables that have codes, by the number of LANESCOPE_OPERATION's kinds as far as it has one.
enum Kind : std::size_t { kernels = 0, copies = 1, memsets = 2, calls = 4 };
inline constexpr std::array<std::pair<Kind, const char*>, 4> tables {
    {{kernels, "CUPTI_ACTIVITY_KIND_KERNEL"}, {copies, "CUPTI_ACTIVITY_KIND_MEMCPY"},
        {memsets, "CUPTI_ACTIVITY_KIND_MEMSET"}, {calls, "CUPTI_ACTIVITY_KIND_RUNTIME"}}};
inline constexpr std::size_t kinds = 5;
constexpr const char* table_of(Kind kind)
{
    for (const auto& [of, table] : tables) {
        if (of == kind) {
            return table;
        }
    }
    return "";
}
/// What is no part of a code: it differs from row to row.
inline constexpr std::array<std::string_view, 4> of_one_row {"start", "end", "correlationId", "gridId"};

using Code = std::uint16_t;

/// Finds the codes while the rows are written. Cost: a hash of each row, 2 bytes of memory.
class Writer {
public:
    /// The row that `table` was given last.
    void add(Kind kind, const layout::Table& layout, const Insert& table, const OwnOperation& own = {});
    /// Writes the two tables, unless the rows repeat each other too little for it to be worth it: then false. The file
    /// is to be sealed once it is complete.
    bool write(Database& database) const;

private:
    struct Entry {
        std::int64_t row;
        OwnOperation own;
    };
    struct Coded {
        std::vector<bool> is_part;  // of the code, by parameter of the insert statement
        std::unordered_map<std::string, Code> known;  // what rows say, and their code
        std::vector<Entry> entries;  // by code
        std::vector<Code> codes;  // by row - 1
    };
    std::array<Coded, kinds> m_coded;
    std::string m_said;  // of the row; kept for its memory
    bool m_given_up = false;  // more than a code can count
};

/// The rows of one kind as they were written.
struct Coded {
    std::vector<OwnOperation> own;  ///< by code
    std::vector<Code> codes;  ///< by row - 1; each is less than the number of codes
};

/// By kind; none where the file has none, or has changed since it was written: then they may be wrong. None too where
/// they do not say something of each row.
std::optional<std::array<Coded, kinds>> read(UntrustedFile& file);

/// The rows of LANESCOPE_DICTIONARY's `kind`, in the order of their codes.
RowChoice entries_of(Kind kind);

}  // namespace row_codes
}  // namespace lanes
