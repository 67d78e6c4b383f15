// SPDX-License-Identifier: MIT
#include "engine/store/row_codes.h"

#include <algorithm>
#include <limits>

namespace lanes::row_codes {

namespace {

constexpr std::size_t most_entries = std::size_t {std::numeric_limits<Code>::max()} + 1;

/// Which parameters of a table's insert statement are part of a code.
std::vector<bool> parts_of(const layout::Table& layout)
{
    std::vector<bool> parts;
    for (const auto& column : layout.columns) {
        if (column.value[0] == '?') {
            parts.push_back(std::find(of_one_row.begin(), of_one_row.end(), column.name) == of_one_row.end());
        }
    }
    return parts;
}

void append(std::string& said, Number number)
{
    const std::int64_t value = number.value_or(0);
    said += number ? '1' : '0';
    said.append(reinterpret_cast<const char*>(&value), sizeof value);
}

Number channel_of(const OwnOperation& own)
{
    return own.channel == no_id ? Number {} : own.channel;
}

bool has_codes(std::int64_t kind)
{
    return std::any_of(tables.begin(), tables.end(),
        [&](const auto& table) { return static_cast<std::int64_t>(table.first) == kind; });
}

}  // namespace

void Writer::add(Kind kind, const layout::Table& layout, const Insert& table, const OwnOperation& own)
{
    if (m_given_up) {
        return;
    }
    auto& coded = m_coded[kind];
    if (coded.is_part.empty()) {
        coded.is_part = parts_of(layout);
    }
    m_said.clear();
    for (std::size_t i = 0; i < coded.is_part.size(); ++i) {
        if (coded.is_part[i]) {
            append(m_said, table.numbers()[i]);
        }
    }
    append(m_said, channel_of(own));
    append(m_said, own.async);
    auto known = coded.known.find(m_said);
    if (known == coded.known.end()) {
        if (coded.entries.size() == most_entries) {
            m_given_up = true;
            m_coded = {};
            return;
        }
        known = coded.known.emplace(m_said, static_cast<Code>(coded.entries.size())).first;
        coded.entries.push_back({table.rows(), own});
    }
    coded.codes.push_back(known->second);
}

bool Writer::write(Database& database) const
{
    constexpr std::size_t rows_for_an_entry = 16;  // on average; reading an entry takes a search of its table
    constexpr std::size_t together = 32768;  // codes in a blob
    std::size_t entries = 0;
    std::size_t rows = 0;
    for (const auto& coded : m_coded) {
        entries += coded.entries.size();
        rows += coded.codes.size();
    }
    if (rows == 0 || rows < entries * rows_for_an_entry) {
        return false;
    }
    for (const auto* table : {&layout::own_dictionary, &layout::own_codes}) {
        database.run(layout::create_sql(*table).c_str());
    }
    Insert dictionary(database, layout::own_dictionary);
    Insert codes(database, layout::own_codes);
    std::vector<std::byte> bytes;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        const auto& coded = m_coded[kind];
        for (std::size_t code = 0; code < coded.entries.size(); ++code) {
            const auto& [row, own] = coded.entries[code];
            dictionary(kind, code, row, channel_of(own), own.async);
        }
        for (std::size_t first = 0; first < coded.codes.size(); first += together) {
            bytes.clear();
            for (auto at = first; at < std::min(coded.codes.size(), first + together); ++at) {
                bytes.push_back(static_cast<std::byte>(coded.codes[at] & 0xFFU));
                bytes.push_back(static_cast<std::byte>(coded.codes[at] >> 8U));
            }
            codes(kind, first + 1, std::span<const std::byte>(bytes));
        }
    }
    return true;
}

std::optional<std::array<Coded, kinds>> read(UntrustedFile& file)
{
    if (!file.has_table("LANESCOPE_DICTIONARY") || !Database::is_sealed(file.path())) {
        return std::nullopt;
    }
    std::array<Coded, kinds> found;
    std::array<std::int64_t, kinds> last_row {};
    for (TableRows rows(file, "LANESCOPE_DICTIONARY", {"kind", "code", "row", "channel", "async"}); rows.next();) {
        const auto kind = static_cast<std::size_t>(rows.number(0));
        const auto row = rows.number(2);
        if (!has_codes(rows.number(0)) || rows.number(1) != static_cast<std::int64_t>(found[kind].own.size())
            || row <= last_row[kind] || found[kind].own.size() == most_entries) {
            return std::nullopt;
        }
        last_row[kind] = row;
        found[kind].own.push_back({rows.id(3, no_id), rows.number(4, 0) != 0});
    }
    for (const auto& [kind, table] : tables) {
        found[kind].codes.reserve(file.rows_of(table));
    }
    for (TableRows rows(file, "LANESCOPE_CODES", {"kind", "firstRow", "codes"}); rows.next();) {
        const auto kind = static_cast<std::size_t>(rows.number(0));
        const auto bytes = rows.blob(2);
        if (!has_codes(rows.number(0)) || rows.number(1) != static_cast<std::int64_t>(found[kind].codes.size()) + 1) {
            return std::nullopt;
        }
        for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
            const auto code = std::to_integer<unsigned>(bytes[at]) | std::to_integer<unsigned>(bytes[at + 1]) << 8U;
            if (code >= found[kind].own.size()) {
                return std::nullopt;
            }
            found[kind].codes.push_back(static_cast<Code>(code));
        }
    }
    for (const auto& [kind, table] : tables) {
        if (found[kind].codes.size() != file.rows_of(table)) {
            return std::nullopt;
        }
    }
    return found;
}

RowChoice entries_of(Kind kind)
{
    return {"_rowid_ IN (SELECT LANESCOPE_DICTIONARY.row FROM LANESCOPE_DICTIONARY WHERE kind = ?)",
        {static_cast<std::int64_t>(kind)}, most_entries};
}

}  // namespace lanes::row_codes
