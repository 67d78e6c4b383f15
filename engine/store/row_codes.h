// SPDX-License-Identifier: MIT
// Codes for the contents that rows of a large recording repeat; private to engine/store.
//
// Most of ten million kernels are launches of the same few: their rows differ in times and correlation, and repeat the
// rest. As in a columnar store, LANESCOPE_DICTIONARY has one row for all with the same contents, whose number is the
// code, and LANESCOPE_CODES has the codes of all rows, 16 bits each in a blob. The layout's tables stay complete: a
// reader that does not know the codes loses nothing, and one that does reads five cells of a row instead of up to
// twenty-four.
#pragma once

#include "engine/store/sqlite_insert.h"
#include "engine/store/sqlite_table.h"

#include <array>
#include <string>
#include <unordered_map>

namespace lanes {

/// The data of an operation for which the layout has no column.
struct OwnOperation {
    std::uint32_t channel = no_id;
    bool async = false;
};

namespace row_codes {

/// The tables with codes; numbers as LANESCOPE_OPERATION's kinds, if it has the kind.
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
/// Columns that are no part of a code: they differ from row to row.
inline constexpr std::array<std::string_view, 4> of_one_row {"start", "end", "correlationId", "gridId"};

using Code = std::uint16_t;

/// Finds the codes while the rows are written. Cost: a hash of each row, 2 bytes of memory.
class Writer {
public:
    /// Adds the row that `table` was given last.
    void add(Kind kind, const layout::Table& layout, const Insert& table, const OwnOperation& own = {});
    /// Writes the two tables; false: rows repeat too little to be worth it. Seal the file once it is complete.
    bool write(Database& database) const;

private:
    struct Entry {
        std::int64_t row;
        OwnOperation own;
    };
    struct Coded {
        std::vector<bool> is_part;  // of the code, by parameter of the insert statement
        std::unordered_map<std::string, Code> known;  // contents of rows, and their codes
        std::vector<Entry> entries;  // by code
        std::vector<Code> codes;  // by row - 1
    };
    std::array<Coded, kinds> m_coded;
    std::string m_said;  // contents of the row; a member to reuse its memory
    bool m_given_up = false;  // there are more contents than codes
};

/// The codes of one kind's rows, as written.
struct Coded {
    std::vector<OwnOperation> own;  ///< by code
    std::vector<Code> codes;  ///< by row - 1; each is less than the number of codes
};

/// By kind; nothing if the file has no codes, does not have one for each row, or has changed since it was written: then
/// they may be wrong.
std::optional<std::array<Coded, kinds>> read(UntrustedFile& file);

/// The rows of LANESCOPE_DICTIONARY's `kind`, in the order of their codes.
RowChoice entries_of(Kind kind);

}  // namespace row_codes
}  // namespace lanes
