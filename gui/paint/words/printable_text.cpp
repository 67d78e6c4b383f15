// SPDX-License-Identifier: MIT
#include "gui/paint/words/printable_text.h"

#include "engine/analysis/words/text_table.h"

#include <QStringList>

namespace lanes::gui {

namespace {

/// What replaces the character at `at`: itself where it can be drawn.
QChar shownFor(const QString& text, qsizetype at)
{
    const QChar c = text[at];
    if (c == u'\t' || c == u'\n' || c == u'\r' || c == QChar::LineSeparator || c == QChar::ParagraphSeparator) {
        return u' ';
    }
    const bool paired = c.isHighSurrogate() ? at + 1 < text.size() && text[at + 1].isLowSurrogate()
                                            : at > 0 && text[at - 1].isHighSurrogate();
    const bool wrong = c.isSurrogate() ? !paired : is_command(c.unicode()) || c >= QChar(0xFFFD);
    return wrong ? QChar(unprintable) : c;
}

}  // namespace

QString printable(const QString& text)
{
    QString shown = text;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (const QChar c = shownFor(text, i); c != text[i]) {
            shown[i] = c;
        }
    }
    return shown;
}

QString printableLines(const QString& text)
{
    QStringList lines = text.split(u'\n');
    for (QString& line : lines) {
        line = printable(line);
    }
    return lines.join(u'\n');
}

}  // namespace lanes::gui
