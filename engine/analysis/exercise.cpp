// SPDX-License-Identifier: MIT
#include "engine/analysis/exercise.h"

#include "engine/analysis/words/shown.h"

#include <algorithm>

namespace lanes {

namespace {

std::optional<double> value_of(const Limit& limit, const LessonRun& run)
{
    const auto figure = static_cast<LessonFigure>(limit.figure);
    const auto value = lesson_figure(run, figure);
    if (!limit.relative) {
        return value;
    }
    const auto whole = whole_of_lesson_figure(run, figure);
    return value && whole && *whole > 0 ? std::optional(*value / *whole * 100) : std::nullopt;
}

std::string shown(const Limit& limit, double value)
{
    if (limit.relative) {
        return shown_share_beside(value, limit.bound);
    }
    switch (limit.dimension) {
    case Dimension::bytes:
        return shown_bytes(static_cast<std::uint64_t>(value));
    case Dimension::time:
        return shown_time(static_cast<Ns>(value));
    default:
        return std::to_string(static_cast<std::uint64_t>(value));
    }
}

}  // namespace

std::vector<CheckedLimit> check_exercise(const Exercise& exercise, const LessonRun& run)
{
    std::vector<CheckedLimit> all;
    for (const Limit& limit : exercise.check) {
        const auto value = value_of(limit, run);
        all.push_back({&limit, value, value && (limit.below ? *value < limit.bound : *value > limit.bound)});
    }
    return all;
}

bool is_solved(const std::vector<CheckedLimit>& checked)
{
    return std::all_of(checked.begin(), checked.end(), [](const CheckedLimit& each) { return each.holds; });
}

Message checked_message(const CheckedLimit& checked)
{
    const Limit& limit = *checked.limit;
    const char* id = checked.holds ? (limit.below ? "exercise.below" : "exercise.above")
        : limit.below              ? "exercise.not_below"
                                   : "exercise.not_above";
    Message message {
        id, {{"bound", shown(limit, limit.bound)}, {"value", checked.value ? shown(limit, *checked.value) : "\u2013"}}};
    message.parts.push_back(
        {"figure", {"usual.figure." + std::string(name_of(static_cast<LessonFigure>(limit.figure))), {}}});
    return message;
}

}  // namespace lanes
