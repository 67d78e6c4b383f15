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

/// `text` without control characters, so that names from a file cannot command a terminal.
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
