// SPDX-License-Identifier: MIT
#include "gui/panels/line_breaks.h"

#include <QRegularExpression>

namespace lanes::gui {

QString wholeFigures(QString text)
{
    static const QRegularExpression beforeUnit(
        QStringLiteral("(?<=\\d) (?=(?:ns|\u00B5s|ms|s|min|h|%|[KMGT]?i?B)(?!\\w))"),
        QRegularExpression::UseUnicodePropertiesOption);
    return text.replace(beforeUnit, QString(QChar(QChar::Nbsp)));
}

QString breakable(const QString& text)
{
    QString with;
    with.reserve(text.size() * 5 / 4);
    for (qsizetype i = 0; i < text.size(); ++i) {
        with += text[i];
        const bool isInFigure = i > 0 && i + 1 < text.size() && (text[i] == u'.' || text[i] == u',')
            && text[i - 1].isDigit() && text[i + 1].isDigit();
        const bool isBeforeWord = i > 0 && i + 1 < text.size() && text[i - 1].isLower() && text[i].isLower()
            && text[i + 1].isUpper();  // "winogradWgrad", not "MiB"
        if ((QStringLiteral(":,_<>(/.").contains(text[i]) && !isInFigure) || isBeforeWord) {
            with += QChar(0x200B);
        }
    }
    return wholeFigures(with);
}

}  // namespace lanes::gui
