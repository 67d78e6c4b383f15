// SPDX-License-Identifier: MIT
#include "engine/analysis/compare/gate.h"

#include "engine/analysis/words/shown.h"
#include "engine/formatted.h"
#include "engine/workload/expression.h"

#include <cmath>
#include <limits>

namespace lanes {

namespace {

/// B less A, in percent of A.
double percent_of(Ns a, Ns b)
{
    if (a == 0) {
        return b == 0 ? 0 : std::numeric_limits<double>::infinity();
    }
    return 100. * (static_cast<double>(b) - static_cast<double>(a)) / static_cast<double>(a);
}

}  // namespace

std::vector<Limit> parse_gate(std::string_view text)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < side_figures; ++i) {
        names.emplace_back(side_figure_name(i));
    }
    try {
        return parse_limits(text, names, true);
    } catch (const ExpressionError& error) {
        throw GateError(formatted("column {}: {}", error.offset() + 1, error.what()));
    }
}

std::vector<Judged> judge(const std::vector<Limit>& limits, const ComparedSide& a, const ComparedSide& b)
{
    std::vector<Judged> all;
    const auto &shown_a = a.runs[a.shown], &shown_b = b.runs[b.shown];
    const bool sums_differ = have_other_lengths(shown_a, shown_b);
    for (const auto& limit : limits) {
        const auto& from = a.figures[limit.figure];
        const auto& to = b.figures[limit.figure];
        if (!from || !to) {
            if (side_figure_name(limit.figure) == "iteration") {
                throw GateError("the figure 'iteration' is unknown: not all of them have iterations of one kind");
            }
            const auto& run = (from ? b : a).runs.front();
            throw GateError(formatted("the figure '{}' is unknown for {}", side_figure_name(limit.figure), run.name));
        }
        if (sums_differ && side_figure_name(limit.figure) != "iteration") {
            throw GateError(formatted("the figure '{}' grows with the number of iterations, and A has {}, B {}; judge "
                                      "'iteration', the average of one",
                side_figure_name(limit.figure), shown_a.iteration_count, shown_b.iteration_count));
        }
        const double change = limit.relative ? percent_of(from->median, to->median)
                                             : static_cast<double>(to->median) - static_cast<double>(from->median);
        all.push_back({limit, from->median, to->median, limit.below ? change < limit.bound : change > limit.bound,
            within_spread(a, b, limit.figure)});
    }
    return all;
}

Message judged_message(const Judged& judged)
{
    const double percent = percent_of(judged.a, judged.b);
    const Ns change = judged.b - judged.a;
    Message message {judged.holds ? "gate.holds" : "gate.exceeded",
        {{"limit", judged.limit.text}, {"from", shown_time(judged.a)}, {"to", shown_time(judged.b)},
            {"change",
                judged.limit.relative && std::isfinite(percent)
                    ? shown_change_beside(percent, judged.limit.bound)
                    : (change < 0 ? "-" : "+") + shown_time(std::abs(change))}}};
    if (judged.within_spread) {
        message.id += "_within";
    }
    return message;
}

}  // namespace lanes
