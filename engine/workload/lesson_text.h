// SPDX-License-Identifier: MIT
// The texts `look`, `why` and `rule` of a workload: sentences with placeholders for figures of the shown recordings.
//
//   {blocked A}     a figure of the upper (A) or the lower recording (B); texts of a variant name no side
//   {hidden% B}     as a share: of copy time (hidden, exposed), of bytes read (wrong), else of the total
//   {total A/B}     the ratio of A's figure to B's
//   {[ … ]}         left out if a figure in it is not known; elsewhere an unknown figure is an en dash
//   {{              a brace
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// Defined in docs/definitions.md; times are ns.
enum class LessonFigure : std::uint8_t {
    title,  ///< of the variant
    total,
    busy,
    idle,
    kernels,
    copies,
    hidden,
    exposed,
    overlap,
    communication,  ///< of the GPU on which most of it is uncovered
    uncovered,  ///< the part of it in which no other kernel ran there
    blocked,  ///< this and the next two are of the first thread
    free,
    waiting,
    launched,  ///< the time at which the last kernel or graph had been launched
    copy_call,  ///< the longest call that issued a copy
    longest_range,  ///< the longest named range of the first thread
    kernel_count,
    copy_count,
    call_count,
    wrong,  ///< bytes that the host read and that were wrong
};

struct LessonPiece {
    enum class Kind : std::uint8_t { text, figure, begin_optional, end_optional };
    enum class Side : std::uint8_t { own, a, b, a_by_b, b_by_a };
    Kind kind = Kind::text;
    std::string text;  ///< of `text`
    LessonFigure figure = LessonFigure::title;
    Side side = Side::own;
    bool share = false;
};

/// The figure called `name`: "total", or "hidden%" for a share. `of_two`: it will be a ratio of two runs; else it must
/// be a share. Throws ExpressionError.
LessonPiece parse_lesson_figure(std::string_view name, bool of_two);

/// "total", …
std::string_view name_of(LessonFigure figure);
/// All names, in the order of LessonFigure.
const std::vector<std::string>& lesson_figure_names();

/// What a limit on a figure may be: a share, a time, bytes or a plain number. `title` is none of them.
struct LessonFigureKind {
    bool share;
    bool bytes, number;  ///< neither: a time
};
LessonFigureKind kind_of(LessonFigure figure);

/// Splits `text`, of a variant or of the whole workload. Throws ExpressionError at the first unknown figure or
/// unmatched brace. Cost: linear.
std::vector<LessonPiece> parse_lesson_text(std::string_view text, bool of_variant);

}  // namespace lanes
