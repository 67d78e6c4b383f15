// SPDX-License-Identifier: MIT
#include "gui/panels/editor/yaml_colours.h"

#include "gui/paint/theme.h"

#include <QRegularExpression>

namespace lanes::gui {

namespace {

const QRegularExpression& keys()
{
    static const QRegularExpression pattern(
        QStringLiteral(R"((?<=^|[\s{,\[-])([A-Za-z_][\w.-]*|"[^"]*")(?=\s*:(\s|$)))"));
    return pattern;
}

const QRegularExpression& quantities()
{
    static const QRegularExpression pattern(QStringLiteral(
        R"((?<![\w.$-])\d+(\.\d+)?(\s?(B|kB|MB|GB|KiB|MiB|GiB|ns|us|µs|ms|s))?(?![\w.-])|\b(true|false)\b)"));
    return pattern;
}

const QRegularExpression& parameters()
{
    static const QRegularExpression pattern(QStringLiteral(R"(\$(\([^)]*\)|\w+))"));
    return pattern;
}

const QRegularExpression& blockText()
{
    static const QRegularExpression pattern(QStringLiteral(R"(:\s*[|>][-+]?\s*$)"));
    return pattern;
}

/// Where a comment begins: a # at the start or after a space, outside of quotes.
qsizetype commentIn(const QString& text)
{
    QChar quote;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (!quote.isNull()) {
            quote = text[i] == quote ? QChar() : quote;
        } else if (text[i] == QLatin1Char('"')
            || (text[i] == QLatin1Char('\'') && (i == 0 || !text[i - 1].isLetterOrNumber()))) {
            quote = text[i];
        } else if (text[i] == QLatin1Char('#') && (i == 0 || text[i - 1].isSpace())) {
            return i;
        }
    }
    return text.size();
}

int indentOf(const QString& text)
{
    int indent = 0;
    while (indent < text.size() && text[indent] == QLatin1Char(' ')) {
        ++indent;
    }
    return indent;
}

}  // namespace

YamlColours::YamlColours(QTextDocument* document)
    : QSyntaxHighlighter(document)
{
    m_key.setFontWeight(QFont::DemiBold);
    setDark(false);
}

void YamlColours::setDark(bool dark)
{
    const Theme& theme = Theme::named(dark ? QStringLiteral("dark") : QStringLiteral("light"));
    m_key.setForeground(theme.text);
    m_comment.setForeground(theme.muted);
    // The roles' colours are for areas; letters need more contrast.
    const auto letters = [&](ItemRole role) { return blend(theme.item(role), theme.text, dark ? 0.25 : 0.35); };
    m_quantity.setForeground(letters(ItemRole::kernel));
    m_parameter.setForeground(letters(ItemRole::d2h));
    rehighlight();
}

void YamlColours::highlightBlock(const QString& text)
{
    const int before = previousBlockState();
    if (before > 0 && (text.trimmed().isEmpty() || indentOf(text) >= before)) {
        setCurrentBlockState(before);
        return;  // code: not YAML
    }
    setCurrentBlockState(blockText().match(text).hasMatch() ? indentOf(text) + 1 : 0);
    const qsizetype end = commentIn(text);
    const QString said = text.left(end);
    const auto colour = [&](const QRegularExpression& pattern, const QTextCharFormat& format, int group) {
        for (auto found = pattern.globalMatch(said); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            setFormat(
                static_cast<int>(match.capturedStart(group)), static_cast<int>(match.capturedLength(group)), format);
        }
    };
    colour(quantities(), m_quantity, 0);
    colour(keys(), m_key, 1);
    colour(parameters(), m_parameter, 0);
    setFormat(static_cast<int>(end), static_cast<int>(text.size() - end), m_comment);
}

}  // namespace lanes::gui
