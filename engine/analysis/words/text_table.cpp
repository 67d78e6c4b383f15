// SPDX-License-Identifier: MIT
#include "engine/analysis/words/text_table.h"

#include "engine/trace/utf8.h"

#include <algorithm>

namespace lanes {

std::size_t display_width(std::string_view text)
{
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto point = code_point_of(text.substr(i));
        i += std::max<std::size_t>(utf8_length(text.substr(i)), 1);
        const bool wide = (point >= 0x1100 && point <= 0x115F) || (point >= 0x2E80 && point <= 0xA4CF)
            || (point >= 0xAC00 && point <= 0xD7A3) || (point >= 0xF900 && point <= 0xFAFF)
            || (point >= 0xFE30 && point <= 0xFE6F) || (point >= 0xFF00 && point <= 0xFF60)
            || (point >= 0xFFE0 && point <= 0xFFE6) || (point >= 0x1F300 && point <= 0x3FFFD);
        width += wide ? 2 : 1;
    }
    return width;
}

std::string printable(std::string_view text)
{
    const auto valid = valid_utf8(text);
    std::string clean;
    clean.reserve(valid.size());
    for (std::string_view rest = valid; !rest.empty();) {
        const auto letter = rest.substr(0, utf8_length(rest));
        clean += is_command(code_point_of(letter)) ? std::string_view(" ") : letter;
        rest.remove_prefix(letter.size());
    }
    return clean;
}

std::string TextTable::text(std::string_view indent) const
{
    std::vector<std::size_t> widths;
    for (const auto& row : m_rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t column = 0; column < row.size(); ++column) {
            widths[column] = std::max(widths[column], display_width(row[column]));
        }
    }
    std::string text;
    for (const auto& row : m_rows) {
        std::string line(indent);
        for (std::size_t column = 0; column < row.size(); ++column) {
            const std::string padding(widths[column] - display_width(row[column]), ' ');
            line += column == 0 ? "" : "  ";
            const bool left = m_alignment[std::min(column, m_alignment.size() - 1)] == 'l';
            line += left ? row[column] + padding : padding + row[column];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string markdown_cell(std::string_view text)
{
    std::string cell;
    for (const char letter : printable(text)) {
        if (letter == '|' || letter == '<' || letter == '`' || letter == '*' || letter == '\\') {
            cell += '\\';
        }
        cell += letter;
    }
    return cell;
}

}  // namespace lanes
