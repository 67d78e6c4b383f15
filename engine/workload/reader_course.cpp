// SPDX-License-Identifier: MIT
// What makes a workload a lesson of a course: why it matters, its quiz, its exercise, and what is compared in it.
#include "engine/ascii.h"
#include "engine/workload/expression.h"
#include "engine/workload/nearest.h"
#include "engine/workload/reader.h"

#include <algorithm>

namespace lanes::syntax {

namespace {

constexpr std::size_t most_questions = 10, least_choices = 2, most_choices = 4;

/// "owner/name#number", as GitHub spells it.
bool is_issue(std::string_view text)
{
    const std::size_t slash = text.find('/'), hash = text.find('#');
    const auto in = [](std::string_view part, std::string_view more) {
        return !part.empty() && std::all_of(part.begin(), part.end(), [&](char c) {
            return ascii::is_letter_or_digit(c) || more.find(c) != std::string_view::npos;
        });
    };
    return text.size() <= 200 && slash != std::string_view::npos && hash != std::string_view::npos && slash < hash
        && in(text.substr(0, slash), "-") && in(text.substr(slash + 1, hash - slash - 1), "-._")
        && text.size() > hash + 1 && text.size() <= hash + 10 && text[hash + 1] != '0'
        && ascii::is_all_digits(text.substr(hash + 1));
}

}  // namespace

void Reader::expect_keys(const YamlNode& map, const std::vector<std::string>& keys, const std::string& where) const
{
    for (std::size_t i = 0; i < map.pair_count(); ++i) {
        if (std::find(keys.begin(), keys.end(), map.key(i).text) == keys.end()) {
            fail(map.key(i).place, unknown_name("key", map.key(i).text, keys) + " (in " + where + ")");
        }
    }
}

const YamlNode& Reader::needed(const YamlNode& map, const char* key, const std::string& what) const
{
    const YamlNode* node = map.find(key);
    if (node == nullptr) {
        fail(map.place, what + " lacks '" + std::string(key) + "'");
    }
    return *node;
}

std::string Reader::variant_name(const YamlNode& node) const
{
    std::vector<std::string> names;
    for (const auto& each : m_workload.variants) {
        names.push_back(each.name);
    }
    if (std::find(names.begin(), names.end(), node.text) == names.end()) {
        fail(node.place, unknown_name("variant", node.text, names));
    }
    return node.text;
}

Matters Reader::matters(const YamlNode& node) const
{
    expect(node, YamlNode::Kind::map, "a map: {issue: owner/name#1, text: {en: …, zh_CN: …}}");
    expect_keys(node, {"issue", "text"}, "'matters'");
    const YamlNode& issue = needed(node, "issue", "'matters'");
    if (issue.kind != YamlNode::Kind::scalar || !is_issue(issue.text)) {
        fail(issue.place, "found " + described(issue) + ", expected a public issue: owner/name#number");
    }
    return {issue.text, translated(needed(node, "text", "'matters'"))};
}

QuizQuestion::Choice Reader::choice(const YamlNode& map) const
{
    expect(map, YamlNode::Kind::map, "a choice: {text: …, why: …}, or {text: …, right: true}");
    expect_keys(map, {"text", "why", "right"}, "a choice");
    QuizQuestion::Choice choice;
    choice.text = translated(needed(map, "text", "a choice"));
    if (const YamlNode* right = map.find("right")) {
        const Value value = literal(*right);
        if (value.dimension != Dimension::boolean) {
            fail(right->place, "found " + described(*right) + ", expected true or false");
        }
        choice.right = value.number != 0;
    }
    if (const YamlNode* why = map.find("why")) {
        choice.why = translated(*why);
    } else if (!choice.right) {
        fail(map.place, "a choice that is not right lacks 'why': why it is not");
    }
    return choice;
}

QuizQuestion Reader::question(const YamlNode& map) const
{
    expect(map, YamlNode::Kind::map, "a map: {question: …, choices: [{text: …, right: true}, {text: …, why: …}]}");
    expect_keys(map, {"question", "choices"}, "'quiz'");
    QuizQuestion question;
    question.question = translated(needed(map, "question", "a question of 'quiz'"));
    const YamlNode& choices = needed(map, "choices", "a question of 'quiz'");
    expect(choices, YamlNode::Kind::list, "a list of choices");
    if (choices.items.size() < least_choices || choices.items.size() > most_choices) {
        fail(choices.place,
            "found " + std::to_string(choices.items.size()) + " choices, expected " + std::to_string(least_choices)
                + " to " + std::to_string(most_choices));
    }
    for (const auto& each : choices.items) {
        question.choices.push_back(choice(each));
    }
    const auto right
        = std::count_if(question.choices.begin(), question.choices.end(), [](const auto& each) { return each.right; });
    if (right != 1) {
        fail(choices.place,
            "found " + std::to_string(right) + " choices that are right, expected one with 'right: true'");
    }
    return question;
}

void Reader::quiz(const YamlNode& node)
{
    expect(node, YamlNode::Kind::list, "a list of questions: [{question: …, choices: …}]");
    if (node.items.size() > most_questions) {
        fail(node.place, "found more than " + std::to_string(most_questions) + " questions, expected fewer");
    }
    for (const auto& item : node.items) {
        m_workload.quiz.push_back(question(item));
    }
}

std::vector<Limit> Reader::check(const YamlNode& node) const
{
    expect(node, YamlNode::Kind::scalar, "limits on figures such as total < 20 ms");
    const auto place = [&](std::size_t offset) {
        return Place {
            node.place.line, node.place.column + static_cast<std::uint32_t>(offset) + (node.quoted ? 1U : 0U)};
    };
    std::vector<Limit> limits;
    try {
        limits = parse_limits(node.text, lesson_figure_names(), false);
    } catch (const ExpressionError& error) {
        fail(place(error.offset()), error.what());
    }
    for (const Limit& limit : limits) {
        const auto figure = static_cast<LessonFigure>(limit.figure);
        const auto kind = kind_of(figure);
        const Dimension wanted = kind.bytes ? Dimension::bytes : kind.number ? Dimension::number : Dimension::time;
        const bool fits = figure != LessonFigure::title && (limit.relative ? kind.share : limit.dimension == wanted);
        if (!fits) {
            fail(place(0),
                "found '" + limit.text + "', expected "
                    + (figure == LessonFigure::title ? "a figure, not a title"
                            : limit.relative         ? "no percentage: this figure is no share"
                                                     : "a bound that is " + std::string(described(wanted))
                                + (kind.share ? ", or a percentage" : "")));
        }
    }
    return limits;
}

Exercise Reader::exercise(const YamlNode& map) const
{
    expect(map, YamlNode::Kind::map, "a map: {task: …, of: …, check: \"total < 20 ms\"}");
    expect_keys(map, {"task", "of", "check"}, "'exercise'");
    Exercise exercise;
    exercise.task = translated(needed(map, "task", "'exercise'"));
    exercise.check = check(needed(map, "check", "'exercise'"));
    if (!m_workload.variants.empty()) {
        exercise.of = variant_name(needed(map, "of", "'exercise'"));
    } else if (const YamlNode* of = map.find("of")) {
        fail(of->place, "found 'of', but this workload has no variants");
    }
    return exercise;
}

ComparedFigure Reader::compared(const YamlNode& map) const
{
    expect(map, YamlNode::Kind::map, "a map: {figure: longest_range, label: {en: time to answer}}");
    expect_keys(map, {"figure", "label"}, "'compared'");
    ComparedFigure compared;
    const YamlNode& figure = needed(map, "figure", "'compared'");
    expect(figure, YamlNode::Kind::scalar, "the name of a figure");
    try {
        const LessonPiece piece = parse_lesson_figure(figure.text, !figure.text.ends_with('%'));
        compared.figure = piece.figure;
        compared.share = piece.share;
    } catch (const ExpressionError& error) {
        fail(figure.place, error.what());
    }
    compared.label = translated(needed(map, "label", "'compared'"));
    return compared;
}

}  // namespace lanes::syntax
