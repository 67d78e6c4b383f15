// SPDX-License-Identifier: MIT
#include "gui/export/html/index_page.h"

#include "gui/export/html/course_parts.h"
#include "gui/export/html/html_page.h"

namespace lanes::gui {

namespace {

/// A card asks: what it says of the lesson does not answer it.
QByteArray cardOf(const LessonCard& card, std::size_t number)
{
    const auto picture = [](const QString& link, const char* theme) {
        return "<img class=\"" + QByteArray(theme) + "\" src=\"" + link.toHtmlEscaped().toUtf8()
            + "\" alt=\"\" loading=\"lazy\" width=\"640\">";
    };
    const Workload& lesson = *card.workload;
    const Translated& says = lesson.quiz.empty() ? lesson.description : lesson.quiz.front().question;
    return "<li><a href=\"" + card.page.toHtmlEscaped().toUtf8() + "\">" + picture(card.light, "light")
        + picture(card.dark, "dark") + "<h3>" + QByteArray::number(static_cast<qulonglong>(number)) + ". "
        + inBoth(lesson.title) + "</h3></a>"
        + (card.course.isEmpty() ? QByteArray() : "<p class=\"device\">" + card.course + "</p>") + "<p>" + inBoth(says)
        + "</p>" + mattersHtml(lesson.matters) + "<p class=\"device\">" + inBoth(card.source) + "</p></li>\n";
}

}  // namespace

QByteArray indexPage(
    const std::vector<LessonCard>& cards, const QString& claims, const QString& terms, const QString& language)
{
    QByteArray list;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        const bool begins = i == 0 || cards[i].chapter != cards[i - 1].chapter;
        if (begins) {
            list += i == 0 ? "" : "</ol>\n";
            list
                += (cards[i].chapter.empty() ? QByteArray() : "<h2>" + inBoth(cards[i].chapter) + "</h2>\n") + "<ol>\n";
        }
        list += cardOf(cards[i], i + 1);
    }
    list += cards.empty() ? "" : "</ol>\n";
    const QByteArray style = themeStyle() + pageResource(QStringLiteral("index.css"));
    const QByteArray script = pageResource(QStringLiteral("index.js"));
    return filledTemplate(pageResource(QStringLiteral("index.html")),
        {{"lang", language == QLatin1String("zh_CN") ? "zh-CN" : "en"}, {"mark", course_mark}, {"style", style},
            {"style-hash", policyHash(style)}, {"script", script}, {"script-hash", policyHash(script)},
            {"claims", claims.toHtmlEscaped().toUtf8()}, {"terms", terms.toHtmlEscaped().toUtf8()}, {"cards", list}});
}

}  // namespace lanes::gui
