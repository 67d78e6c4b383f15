// SPDX-License-Identifier: MIT
// Names come from programs and may hold anything; what is drawn may not: XML has no place for most control
// characters, and an SVG file with one of them is refused by every reader.
#pragma once

#include "gui/paint/words/utf8_text.h"

#include <QString>

#include <string_view>

namespace lanes::gui {

/// Stands for a character that cannot be shown: a small square. The bundled font has it; it does not have U+FFFD, which
/// would be drawn with whatever font the host has.
inline constexpr char16_t unprintable = 0x25A1;

/// `text` with a space for each tab and line break, and the square for each other letter that is_command()
/// (engine/analysis/words/text_table.h), unpaired surrogate and U+FFFD to U+FFFF. Shares the text where there is
/// nothing to replace. Linear.
QString printable(const QString& text);
/// A name that a program or a file gave.
inline QString nameText(std::string_view utf8)
{
    return printable(text(utf8));
}
/// As an entry of a menu or on a button: no letter of it is a mnemonic.
inline QString entryText(const QString& text)
{
    return printable(text).replace(u'&', QStringLiteral("&&"));
}
/// The same as printable() for what has lines.
QString printableLines(const QString& text);

/// As HTML, with the same lines.
inline QString htmlLines(const QString& text)
{
    return text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
}

/// At most that many letters, the last of them an ellipsis if there were more.
inline QString shortened(const QString& text, qsizetype most)
{
    return text.size() > most ? text.left(most - 1) + QChar(0x2026) : text;
}

}  // namespace lanes::gui
