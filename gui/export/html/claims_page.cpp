// SPDX-License-Identifier: MIT
#include "gui/export/html/claims_page.h"

#include "engine/analysis/lesson_texts.h"
#include "gui/export/html/html_page.h"
#include "gui/export/html/index_page.h"

namespace lanes::gui {

namespace {

/// Words between backticks are code.
QByteArray withCode(const std::string& text)
{
    QByteArray html;
    bool code = false;
    for (const QString& part : QString::fromStdString(text).split(QLatin1Char('`'))) {
        const QByteArray escaped = part.toHtmlEscaped().toUtf8();
        html += code ? "<code>" + escaped + "</code>" : escaped;
        code = !code;
    }
    return html;
}

QByteArray said(const Translated& text)
{
    return "<span lang=\"en\">" + withCode(in_language(text, "en")) + "</span><span lang=\"zh-CN\">"
        + withCode(in_language(text, "zh_CN")) + "</span>";
}

QByteArray verdict(ArticleClaim::Truth truth)
{
    switch (truth) {
    case ArticleClaim::Truth::yes:
        return "<b class=\"yes\">" + said({{"en", "true"}, {"zh_CN", "对"}}) + "</b>";
    case ArticleClaim::Truth::no:
        return "<b class=\"no\">" + said({{"en", "false"}, {"zh_CN", "错"}}) + "</b>";
    case ArticleClaim::Truth::partly:
        break;
    }
    return "<b class=\"partly\">" + said({{"en", "partly"}, {"zh_CN", "部分对"}}) + "</b>";
}

QByteArray linkOf(const ArticleClaim::Place& place, const CourseLessons& lessons)
{
    const auto found = lessons.find(place.workload);
    if (found == lessons.end()) {
        return {};
    }
    const Workload& lesson = *found->second;
    Translated name;
    for (const char* language : {"en", "zh_CN"}) {
        name[language] = in_language(lesson.title, language) + (std::string(language) == "en" ? ": " : "：")
            + variant_title(lesson, place.variant, language);
    }
    return "<a class=\"inline\" href=\"" + QString::fromStdString(place.workload).toHtmlEscaped().toUtf8() + ".html\">"
        + said(name) + "</a><br>";
}

}  // namespace

QByteArray claimsPage(
    const std::vector<Article>& articles, const CourseLessons& lessons, const QString& index, const QString& language)
{
    QByteArray parts;
    qulonglong count = 0;
    for (const Article& article : articles) {
        parts += "<h2>" + said(article.title) + "</h2>\n<div class=\"wide\"><table>\n<tr><th>"
            + said({{"en", "Claim"}, {"zh_CN", "说法"}}) + "</th><th>"
            + said({{"en", "Is it so?"}, {"zh_CN", "对吗？"}}) + "</th><th>"
            + said({{"en", "What the lessons show"}, {"zh_CN", "课程展示了什么"}}) + "</th><th>"
            + said({{"en", "Where"}, {"zh_CN", "在哪里看"}}) + "</th></tr>\n";
        for (const ArticleClaim& claim : article.claims) {
            ++count;
            QByteArray places;
            for (const ArticleClaim::Place& place : claim.shown) {
                places += linkOf(place, lessons);
            }
            parts += "<tr><td>" + said(claim.says) + "</td><td>" + verdict(claim.truth) + "</td><td>"
                + said(claim.answer) + "</td><td>" + places + "</td></tr>\n";
        }
        parts += "</table></div>\n";
    }
    const QByteArray style = themeStyle() + pageResource(QStringLiteral("index.css"));
    const QByteArray script = pageResource(QStringLiteral("index.js"));
    return filledTemplate(pageResource(QStringLiteral("claims.html")),
        {{"lang", language == QLatin1String("zh_CN") ? "zh-CN" : "en"}, {"mark", course_mark}, {"style", style},
            {"style-hash", policyHash(style)}, {"script", script}, {"script-hash", policyHash(script)},
            {"index", index.toHtmlEscaped().toUtf8()}, {"count", QByteArray::number(count)}, {"articles", parts}});
}

}  // namespace lanes::gui
