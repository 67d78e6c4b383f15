// SPDX-License-Identifier: MIT
#include "gui/export/html/course_parts.h"

namespace lanes::gui {

namespace {

QByteArray escaped(const std::string& text)
{
    return QString::fromStdString(text).toHtmlEscaped().toUtf8();
}

QByteArray both(const char* english, const char* chinese)
{
    return inBoth({{"en", english}, {"zh_CN", chinese}});
}

QByteArray questionHtml(const QuizQuestion& question, std::size_t number)
{
    QByteArray html = "<fieldset><legend>" + QByteArray::number(static_cast<qulonglong>(number)) + ". "
        + inBoth(question.question) + "</legend>\n";
    for (const QuizQuestion::Choice& choice : question.choices) {
        html += "<details><summary>" + inBoth(choice.text) + "</summary><p class=\""
            + QByteArray(choice.right ? "right" : "wrong") + "\"><b>"
            + (choice.right ? both("Right.", "正确。") : both("No.", "不对。")) + "</b> " + inBoth(choice.why)
            + "</p></details>\n";
    }
    return html + "</fieldset>\n";
}

}  // namespace

QByteArray inBoth(const Translated& text)
{
    return "<span lang=\"en\">" + escaped(in_language(text, "en")) + "</span><span lang=\"zh-CN\">"
        + escaped(in_language(text, "zh_CN")) + "</span>";
}

QByteArray courseLine(
    const Course& course, const CourseLesson& lesson, const std::function<Translated(const std::string&)>& titleOf)
{
    QByteArray html;
    const auto part = [&](const QByteArray& text) { html += (html.isEmpty() ? "" : " \xC2\xB7 ") + text; };
    if (lesson.chapter) {
        part(QByteArray::number(static_cast<qulonglong>(*lesson.chapter + 1)) + " "
            + inBoth(course.chapters[*lesson.chapter]));
    }
    if (lesson.minutes > 0) {
        part(QByteArray::number(lesson.minutes) + both(" min", " 分钟"));
    }
    if (!lesson.after.empty()) {
        QByteArray before = both("after: ", "先修：");
        for (std::size_t i = 0; i < lesson.after.size(); ++i) {
            before += (i > 0 ? both(", ", "、") : QByteArray()) + "<a class=\"inline\" href=\""
                + escaped(lesson.after[i]) + ".html\">" + inBoth(titleOf(lesson.after[i])) + "</a>";
        }
        part(before);
    }
    return html;
}

QByteArray mattersHtml(const Matters& matters)
{
    if (matters.issue.empty()) {
        return {};
    }
    QString address = QString::fromStdString(matters.issue);  // GitHub leads from an issue's address to a pull request
    address.replace(QLatin1Char('#'), QLatin1String("/issues/"));
    return "<p class=\"matters\"><b>" + both("Why it matters", "为什么重要") + "</b> " + inBoth(matters.text)
        + " <a class=\"inline\" href=\"https://github.com/" + address.toHtmlEscaped().toUtf8() + "\">"
        + escaped(matters.issue) + "</a></p>\n";
}

QByteArray questionsHtml(const Workload& workload)
{
    if (workload.quiz.empty()) {
        return {};
    }
    QByteArray html = "<details class=\"quiz\"><summary><b>" + both("Questions", "思考题")
        + "</b> <span class=\"muted\">"
        + both("Answer before you look: a choice says whether it is right, and why.",
            "先作答再看泳道：点开一个选项，即可知道是否正确以及原因。")
        + "</span></summary>\n";
    for (std::size_t i = 0; i < workload.quiz.size(); ++i) {
        html += questionHtml(workload.quiz[i], i + 1);
    }
    return html + "</details>\n";
}

QByteArray exerciseHtml(const Workload& workload)
{
    QByteArray html;
    if (!workload.exercise.check.empty()) {
        QByteArray limits;
        for (const Limit& limit : workload.exercise.check) {
            limits += (limits.isEmpty() ? "" : ", ") + escaped(limit.text);
        }
        const QByteArray name = escaped(workload.name);
        html += "<h2>" + both("Exercise", "练习") + "</h2>\n<p>" + inBoth(workload.exercise.task)
            + "</p>\n<pre>lanes show " + name + " &gt; mine.yaml\n# "
            + both("change the variant ", "在 mine.yaml 中修改变体 ") + escaped(workload.exercise.of)
            + both(" in mine.yaml, then", "，然后") + "\nlanes run mine.yaml --check\n# " + limits + "</pre>\n";
    }
    return html;
}

QByteArray sheetHtml(const Workload& workload, std::size_t number)
{
    const auto text = [](std::size_t of) { return QByteArray::number(static_cast<qulonglong>(of)); };
    QByteArray html;
    for (std::size_t i = 0; i < workload.quiz.size(); ++i) {
        const QuizQuestion& question = workload.quiz[i];
        html += i == 0 ? "<section>\n<h2>" + text(number) + ". " + inBoth(workload.title) + "</h2>\n" : QByteArray();
        html += "<p>" + text(number) + "." + text(i + 1) + "  " + inBoth(question.question) + "</p>\n<ul>\n";
        char letter = 'A';
        for (const QuizQuestion::Choice& choice : question.choices) {
            html += "<li>\xE2\x98\x90 " + QByteArray(1, letter++) + "  " + inBoth(choice.text) + "</li>\n";
        }
        html += "</ul>\n";
    }
    return html + (html.isEmpty() ? "" : "</section>\n");
}

QByteArray slidesLink(const QString& link)
{
    return "<p><a class=\"inline\" href=\"" + link.toHtmlEscaped().toUtf8() + "\">"
        + both("This lesson as slides (PDF)", "本课幻灯片（PDF）") + "</a></p>\n";
}

}  // namespace lanes::gui
