// SPDX-License-Identifier: MIT
#include "gui/export/html/index_page.h"

#include "gui/export/html/html_page.h"

namespace lanes::gui {

namespace {

QByteArray escaped(const std::string& text)
{
    return QString::fromStdString(text).toHtmlEscaped().toUtf8();
}

/// In both languages; the style shows the one of the page.
QByteArray inBoth(const Translated& text)
{
    return "<span lang=\"en\">" + escaped(in_language(text, "en")) + "</span><span lang=\"zh-CN\">"
        + escaped(in_language(text, "zh_CN")) + "</span>";
}

QByteArray cardOf(const LessonCard& card, std::size_t number)
{
    const auto picture = [](const QString& link, const char* theme) {
        return "<img class=\"" + QByteArray(theme) + "\" src=\"" + link.toHtmlEscaped().toUtf8()
            + "\" alt=\"\" loading=\"lazy\" width=\"640\">";
    };
    const Workload& lesson = *card.workload;
    return "<li><a href=\"" + card.page.toHtmlEscaped().toUtf8() + "\">" + picture(card.light, "light")
        + picture(card.dark, "dark") + "<h2>" + QByteArray::number(static_cast<qulonglong>(number)) + ". "
        + inBoth(lesson.title) + "</h2></a><p>" + inBoth(lesson.description) + "</p><p class=\"device\">"
        + inBoth(card.source) + "</p></li>\n";
}

}  // namespace

QByteArray indexPage(const std::vector<LessonCard>& cards, const QString& claims, const QString& language)
{
    QByteArray list;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        list += cardOf(cards[i], i + 1);
    }
    const QByteArray style = themeStyle() + pageResource(QStringLiteral("index.css"));
    const QByteArray script = pageResource(QStringLiteral("index.js"));
    return filledTemplate(pageResource(QStringLiteral("index.html")),
        {{"lang", language == QLatin1String("zh_CN") ? "zh-CN" : "en"}, {"mark", course_mark}, {"style", style},
            {"style-hash", policyHash(style)}, {"script", script}, {"script-hash", policyHash(script)},
            {"claims", claims.toHtmlEscaped().toUtf8()}, {"cards", list}});
}

}  // namespace lanes::gui
