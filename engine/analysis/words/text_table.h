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

/// Letters that control a terminal or another display instead of being shown: control characters (C1, too: U+009B
/// begins a command as ESC [ does), line and paragraph separators, changes of direction.
constexpr bool is_command(char32_t letter)
{
    return letter < 0x20 || (letter >= 0x7F && letter < 0xA0) || (letter >= 0x2028 && letter <= 0x202E)
        || (letter >= 0x2066 && letter <= 0x2069);
}

/// `text` with a space for each letter that is_command(), since names from a file may be any bytes; U+FFFD for invalid
/// UTF-8.
std::string printable(std::string_view text);

/// `text` for a cell of a table in Markdown: a backslash escapes what would end the cell or begin a tag.
std::string markdown_cell(std::string_view text);

/// Columns are aligned to the left or the right, by one letter each in `alignment`: "lrl". The last letter holds for
/// all further columns.
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
