// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/length_step.h"

#include "engine/analysis/facts/iteration_spans.h"
#include "engine/trace/median.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace lanes {

namespace {

using Lengths = std::vector<Ns>;

/// How many come before the cut: where the ranks of those before it differ most from those of all.
std::size_t cut_of(const Lengths& lengths)
{
    auto sorted = lengths;
    std::sort(sorted.begin(), sorted.end());
    const auto count = static_cast<std::int64_t>(lengths.size());
    std::int64_t sum = 0, most = -1;
    std::size_t cut = 0;
    for (std::size_t before = 1; before < lengths.size(); ++before) {
        const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), lengths[before - 1]);
        // Twice its rank from the middle: those that are as long share theirs.
        sum += (low - sorted.begin()) + (high - sorted.begin()) - count;
        if (std::abs(sum) > most) {
            most = std::abs(sum);
            cut = before;
        }
    }
    return cut;
}

/// Whether nine of ten are no further from their median than that.
bool are_within(const Lengths& part, Ns median, Ns distance)
{
    const auto far
        = std::count_if(part.begin(), part.end(), [&](Ns length) { return std::abs(length - median) > distance; });
    return static_cast<std::size_t>(far) <= part.size() / 10;
}

}  // namespace

std::optional<LengthStep> find_length_step(const std::vector<Ns>& lengths)
{
    if (lengths.size() < 2 * least_in_a_part) {
        return std::nullopt;
    }
    const std::size_t cut = cut_of(lengths);
    if (cut < least_in_a_part || lengths.size() - cut < least_in_a_part) {
        return std::nullopt;
    }
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(cut);
    const Lengths earlier(lengths.begin(), middle), later(middle, lengths.end());
    const LengthStep step {cut, median_of(earlier), median_of(later)};
    const Ns difference = std::abs(step.after - step.before);
    const bool is_step
        = static_cast<double>(difference) >= least_step * static_cast<double>(std::min(step.before, step.after))
        && difference > 0 && are_within(earlier, step.before, difference / 4)
        && are_within(later, step.after, difference / 4);
    return is_step ? std::optional(step) : std::nullopt;
}

std::optional<LengthStep> find_length_step(const Trace& trace, const Repetition& repetition)
{
    const std::size_t count = repetition.steady.count, all = repetition.iterations.size();
    if (count <= 2 * least_in_a_part) {
        return std::nullopt;
    }
    const auto spans = iteration_spans(trace, repetition).all;
    const std::size_t warm_up = all - std::min(all, count);
    Lengths lengths;
    for (std::size_t i = warm_up; i + 1 < all; ++i) {
        lengths.push_back(spans[i].end - spans[i].start);
    }
    auto step = find_length_step(lengths);
    if (step) {
        step->first += warm_up;
    }
    return step;
}

}  // namespace lanes
