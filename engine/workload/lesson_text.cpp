// SPDX-License-Identifier: MIT
#include "engine/workload/lesson_text.h"

#include "engine/workload/expression.h"
#include "engine/workload/nearest.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lanes {

namespace {

struct Named {
    const char* name;
    bool may_be_share;
    bool may_be_ratio;
};
// In the order of LessonFigure.
constexpr std::array figures {Named {"title", false, false}, Named {"total", false, true}, Named {"busy", true, true},
    Named {"idle", true, true}, Named {"kernels", true, true}, Named {"copies", true, true},
    Named {"hidden", true, true}, Named {"exposed", true, true}, Named {"overlap", true, true},
    Named {"communication", true, true}, Named {"uncovered", true, true}, Named {"blocked", true, true},
    Named {"free", true, true}, Named {"waiting", true, true}, Named {"launched", true, true},
    Named {"copy_call", false, true}, Named {"longest_range", false, true}, Named {"kernel_count", false, true},
    Named {"copy_count", false, true}, Named {"call_count", false, true}, Named {"wrong", true, false}};
constexpr std::array sides {"", "A", "B", "A/B", "B/A"};  // in the order of LessonPiece::Side

LessonPiece known_figure(std::string name, std::size_t offset)
{
    LessonPiece piece;
    piece.kind = LessonPiece::Kind::figure;
    piece.share = name.ends_with('%');
    if (piece.share) {
        name.pop_back();
    }
    const auto known
        = std::find_if(figures.begin(), figures.end(), [&](const Named& each) { return each.name == name; });
    if (known == figures.end()) {
        throw ExpressionError(offset, unknown_name("figure", name, lesson_figure_names()));
    }
    piece.figure = static_cast<LessonFigure>(known - figures.begin());
    return piece;
}

LessonPiece figure_of(std::string_view inside, std::size_t offset, bool of_variant)
{
    const std::size_t space = inside.find(' ');
    const std::string side(space == std::string_view::npos ? std::string_view() : inside.substr(space + 1));
    auto piece = known_figure(std::string(inside.substr(0, space)), offset);
    const auto* const known = &figures[static_cast<std::size_t>(piece.figure)];
    const auto where = std::find(sides.begin(), sides.end(), side);
    const bool own = side.empty();
    if (where == sides.end() || own != of_variant) {
        throw ExpressionError(offset,
            "found '{" + std::string(inside) + "}', expected "
                + (of_variant ? "no side: a variant's text is about itself" : "A, B, A/B or B/A after the figure"));
    }
    piece.side = static_cast<LessonPiece::Side>(where - sides.begin());
    const bool ratio = piece.side >= LessonPiece::Side::a_by_b;
    if ((piece.share && (!known->may_be_share || ratio)) || (ratio && !known->may_be_ratio)) {
        throw ExpressionError(
            offset, "found '{" + std::string(inside) + "}', which has no " + (ratio ? "ratio" : "share"));
    }
    return piece;
}

}  // namespace

std::string_view name_of(LessonFigure figure)
{
    return figures[static_cast<std::size_t>(figure)].name;
}

const std::vector<std::string>& lesson_figure_names()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto& each : figures) {
            all.emplace_back(each.name);
        }
        return all;
    }();
    return names;
}

LessonFigureKind kind_of(LessonFigure figure)
{
    const bool number = figure == LessonFigure::kernel_count || figure == LessonFigure::copy_count
        || figure == LessonFigure::call_count;
    return {figures[static_cast<std::size_t>(figure)].may_be_share, figure == LessonFigure::wrong, number};
}

LessonPiece parse_lesson_figure(std::string_view name, bool of_two)
{
    auto piece = known_figure(std::string(name), 0);
    const auto& known = figures[static_cast<std::size_t>(piece.figure)];
    if (of_two && (piece.share || !known.may_be_ratio)) {
        throw ExpressionError(0, "found '" + std::string(name) + "', which has no ratio");
    }
    if (!of_two && !piece.share) {
        throw ExpressionError(0,
            known.may_be_share ? "found '" + std::string(name) + "', expected a share, '" + std::string(name)
                    + "%', or 'over' with the variant to compare with"
                               : "found '" + std::string(name) + "', which has no share: expected 'over' beside it");
    }
    if (!of_two && !known.may_be_share) {
        throw ExpressionError(0, "found '" + std::string(name) + "', which has no share");
    }
    return piece;
}

std::vector<LessonPiece> parse_lesson_text(std::string_view text, bool of_variant)
{
    std::vector<LessonPiece> pieces;
    std::string words;
    std::size_t optional = std::string_view::npos;  // where it began
    const auto take_words = [&] {
        if (!words.empty()) {
            pieces.emplace_back().text = std::exchange(words, {});
        }
    };
    const auto add = [&](LessonPiece::Kind kind) {
        take_words();
        pieces.emplace_back().kind = kind;
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view rest = text.substr(at);
        if (rest.starts_with("{{")) {
            words += '{';
            ++at;
        } else if (rest.starts_with("{[")) {
            if (optional != std::string_view::npos) {
                throw ExpressionError(at, "found '{[' within another, expected ']}' first");
            }
            optional = at++;
            add(LessonPiece::Kind::begin_optional);
        } else if (rest.starts_with("]}") && optional != std::string_view::npos) {
            optional = std::string_view::npos;
            ++at;
            add(LessonPiece::Kind::end_optional);
        } else if (rest.starts_with('{')) {
            const std::size_t end = rest.find('}');
            if (end == std::string_view::npos) {
                throw ExpressionError(at, "found '{' without its '}' (a brace is written '{{')");
            }
            take_words();
            pieces.push_back(figure_of(rest.substr(1, end - 1), at, of_variant));
            at += end;
        } else {
            words += text[at];
        }
    }
    if (optional != std::string_view::npos) {
        throw ExpressionError(optional, "found '{[' without its ']}'");
    }
    take_words();
    return pieces;
}

}  // namespace lanes
