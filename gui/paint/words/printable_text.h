// SPDX-License-Identifier: MIT
// Names come from programs and may hold anything; what is drawn may not: XML has no place for most control
// characters, and an SVG file with one of them is refused by every reader.
#pragma once

#include <QString>

namespace lanes::gui {

/// Stands for a character that cannot be shown: a small square. The bundled font has it; it does not have U+FFFD, which
/// would be drawn with whatever font the host has.
inline constexpr char16_t unprintable = 0x25A1;

/// `text` with a space for each tab and line break, and the square for each other control character, unpaired surrogate
/// and U+FFFD to U+FFFF. Shares the text where there is nothing to replace. Linear.
QString printable(const QString& text);

/// At most so many letters, the last of them an ellipsis if there were more.
inline QString shortened(const QString& text, qsizetype most)
{
    return text.size() > most ? text.left(most - 1) + QChar(0x2026) : text;
}

}  // namespace lanes::gui
