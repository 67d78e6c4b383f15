// SPDX-License-Identifier: MIT
// Lines of text in columns, for terminals.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// Columns that `text` (UTF-8) takes in a terminal: two for East Asian wide letters.
std::size_t display_width(std::string_view text);

/// `text` without what commands a terminal, since names from a file may be any bytes: a space for each control
/// character (C1, too: U+009B begins a command as ESC [ does), line or paragraph separator and change of direction
/// (U+202A to U+202E, U+2066 to U+2069); U+FFFD for what is no UTF-8.
std::string printable(std::string_view text);

/// `text` for a cell of a table in Markdown: what would end it or begin a tag has a backslash.
std::string markdown_cell(std::string_view text);

/// Columns are set to the left or the right, as `alignment` says by a letter each: "lrl". The last letter
/// holds for all further columns.
class TextTable {
public:
    explicit TextTable(std::string alignment = "lr")
        : m_alignment(std::move(alignment))
    {
    }
    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    bool empty() const { return m_rows.empty(); }
    /// Each line begins with `indent`.
    std::string text(std::string_view indent = "  ") const;

private:
    std::string m_alignment;
    std::vector<std::vector<std::string>> m_rows;
};

}  // namespace lanes
