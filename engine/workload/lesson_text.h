// SPDX-License-Identifier: MIT
// What a workload's `look`, `why` and `rule` are written in: sentences with places for figures of the recordings that
// are shown.
//
//   {blocked A}     a figure of the upper (A) or the lower recording (B); what a variant says of itself names no side
//   {hidden% B}     as a share: of copy time (hidden, exposed), of bytes read (wrong), else of the total
//   {total A/B}     how many times B's the figure of A is
//   {[ … ]}         left out where a figure in it is not known; elsewhere such a figure is an en dash
//   {{              a brace
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// docs/definitions.md says what each is; times are ns.
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
    uncovered,  ///< of it, while no other kernel ran there
    blocked,  ///< this and the next two: of the first thread
    free,
    waiting,
    launched,  ///< the time at which the last kernel or graph had been launched
    copy_call,  ///< the longest call that issued a copy
    kernel_count,
    copy_count,
    call_count,
    wrong,  ///< bytes that the host read and that were not what they should have been
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

/// The figure that `name` is: "total", or "hidden%" for a share. `of_two`: of one run as a multiple of another's, else
/// it must be a share. Throws ExpressionError.
LessonPiece parse_lesson_figure(std::string_view name, bool of_two);

/// "total".
std::string_view name_of(LessonFigure figure);

/// The pieces of `text`, which is what a variant says of itself or of the whole lesson. Throws ExpressionError with the
/// place of the first figure that is not known and of braces that do not match. Cost: linear.
std::vector<LessonPiece> parse_lesson_text(std::string_view text, bool of_variant);

}  // namespace lanes
