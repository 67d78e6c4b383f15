// SPDX-License-Identifier: MIT
#include "engine/run/record_arguments.h"

#include "engine/workload/expression.h"

#include <charconv>

namespace lanes {

std::optional<double> amount(const std::string& text, Dimension dimension)
{
    try {
        const auto value = parse_literal(text);
        return value.dimension == dimension && value.number >= 1 && value.number < 1e18 ? std::optional(value.number)
                                                                                        : std::nullopt;
    } catch (const ExpressionError&) {
        return std::nullopt;
    }
}

std::optional<StepNumbers> steps_of(const std::string& text)
{
    StepNumbers steps;
    const auto* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, steps.first);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') {
        return std::nullopt;
    }
    const auto last = std::from_chars(first.ptr + 1, end, steps.end);
    return last.ec == std::errc() && last.ptr == end && steps.first < steps.end ? std::optional(steps) : std::nullopt;
}

}  // namespace lanes
