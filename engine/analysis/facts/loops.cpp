// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/loops.h"

#include "engine/trace/median.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <unordered_map>

namespace lanes {

namespace {

constexpr std::size_t least_starts = 3;
constexpr std::size_t least_marks = 3;  // of a loop: one or two may come regularly by chance
constexpr std::size_t sample = 65'536;  // symbols in which marks are looked for
constexpr std::size_t most_loops = 16;  // that are followed through all symbols
constexpr std::array<std::size_t, 3> mark_lengths {1, 2, 4};
constexpr std::uint64_t preliminary_share = 4;  // of ten: the sample may begin and end within an iteration

std::uint64_t mark_at(const std::vector<Symbol>& symbols, std::size_t at, std::size_t length)
{
    std::uint64_t hash = length;
    for (std::size_t k = 0; k < length; ++k) {
        hash = (hash ^ symbols[at + k]) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29U;
    }
    return hash;
}

std::size_t median_distance(const std::vector<std::size_t>& at)
{
    std::vector<std::size_t> distances;
    distances.reserve(at.size());
    for (std::size_t i = 1; i < at.size(); ++i) {
        distances.push_back(at[i] - at[i - 1]);
    }
    return median_of(std::move(distances));
}

/// A sequence of symbols that comes again and again.
struct Mark {
    std::size_t period = 0, count = 0, first = 0, length = 0;
    std::uint64_t hash = 0;
};

/// `sums[i]` is the weight of the symbols before `i`.
using Sums = std::vector<std::uint64_t>;

/// Nothing (count 0) unless it comes regularly and most of the weight is between its occurrences.
Mark mark_of(const std::vector<std::size_t>& at, const Sums& sums, std::size_t begin, std::size_t end)
{
    const auto period = median_distance(at);
    std::size_t regular = 0;
    std::uint64_t weight = 0;
    for (std::size_t i = 1; i < at.size(); ++i) {
        if (is_near(at[i] - at[i - 1], period)) {
            ++regular;
            weight += sums[at[i]] - sums[at[i - 1]];
        }
    }
    // Of three iterations, two are from one occurrence to the next.
    weight += regular == 0 ? 0 : weight / regular;
    if (4 * regular < 3 * (at.size() - 1) || 10 * weight < preliminary_share * (sums[end] - sums[begin])) {
        return {};
    }
    return {period, at.size(), at.front()};
}

/// All marks in [begin, end), by period.
std::vector<Mark> marks_in(const std::vector<Symbol>& symbols, const Sums& sums, std::size_t begin, std::size_t end)
{
    std::vector<Mark> marks;
    std::vector<std::pair<std::uint64_t, std::size_t>> places;
    std::vector<std::size_t> at;
    for (const auto length : mark_lengths) {
        places.clear();
        for (std::size_t i = begin; i + length <= end; ++i) {
            places.emplace_back(mark_at(symbols, i, length), i);
        }
        std::sort(places.begin(), places.end());
        for (std::size_t i = 0; i < places.size();) {
            const auto hash = places[i].first;
            at.clear();
            for (; i < places.size() && places[i].first == hash; ++i) {
                at.push_back(places[i].second);
            }
            if (at.size() < least_starts) {
                continue;
            }
            if (Mark mark = mark_of(at, sums, begin, end); mark.count > 0) {
                mark.length = length;
                mark.hash = hash;
                marks.push_back(mark);
            }
        }
    }
    std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.period < b.period; });
    return marks;
}

/// Of the marks of one loop, the first of those that occur as often as most do. Marks across two iterations occur once
/// less: a greater count that half as many marks have is the loop's.
Mark best_of(const std::vector<Mark>& marks, std::size_t begin, std::size_t end)
{
    std::map<std::size_t, std::size_t> by_count;
    for (auto i = begin; i < end; ++i) {
        ++by_count[marks[i].count];
    }
    std::size_t count = 0, most = 0;
    for (const auto& [each, number] : by_count) {
        if (2 * number >= most) {
            most = std::max(most, number);
            count = each;
        }
    }
    Mark best;
    for (auto i = begin; i < end; ++i) {
        if (marks[i].count == count && (best.count == 0 || marks[i].first < best.first)) {
            best = marks[i];
        }
    }
    return best;
}

using Sorted = std::vector<Symbol>;

Sorted symbols_in(const std::vector<Symbol>& symbols, std::size_t begin, std::size_t end)
{
    Sorted all(symbols.begin() + static_cast<std::ptrdiff_t>(begin),
        symbols.begin() + static_cast<std::ptrdiff_t>(std::min(end, symbols.size())));
    std::sort(all.begin(), all.end());
    return all;
}

std::size_t in_both(const Sorted& a, const Sorted& b)
{
    Sorted both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both.size();
}

/// What happened to come once or twice long before or after the loop (a start-up, a last evaluation) is not of it. An
/// iteration that did all that the others do, and more (it tried algorithms), is.
void leave_out_ends(Loop& loop, const std::vector<Symbol>& symbols)
{
    auto& starts = loop.starts;
    const auto tenth = std::max<std::size_t>(1, starts.size() / 10);
    const auto middle = starts.size() / 2;
    const auto typical = symbols_in(symbols, starts[middle], loop.end_of(middle));
    const auto is_apart = [&](std::size_t i) {
        return starts[i] - starts[i - 1] > 2 * loop.period
            && 4 * in_both(typical, symbols_in(symbols, starts[i - 1], starts[i])) < 3 * typical.size();
    };
    for (std::size_t i = std::min(tenth, starts.size() - 1); i > 0; --i) {
        if (is_apart(i) && starts.size() - i >= least_starts) {
            starts.erase(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(i));
            break;
        }
    }
    for (std::size_t i = starts.size() - std::min(tenth, starts.size() - 1); i < starts.size(); ++i) {
        if (is_apart(i) && i >= least_starts) {
            starts.resize(i);
            break;
        }
    }
    if (2 * (symbols.size() - starts.back()) < loop.period) {
        starts.pop_back();  // cut short
    }
}

/// The first one is none if it is shorter than the others and lacks a quarter of what they do: what comes before a loop
/// may look like its beginning (a residual is computed once).
void leave_out_part(Loop& loop, const std::vector<Symbol>& symbols)
{
    auto& starts = loop.starts;
    const auto middle = starts.size() / 2;
    const auto length = starts[1] - starts[0];
    if (starts.size() == least_starts || is_near(length, loop.period) || length > loop.period) {
        return;
    }
    const auto typical = symbols_in(symbols, starts[middle], loop.end_of(middle));
    if (4 * in_both(typical, symbols_in(symbols, starts[0], starts[1])) < 3 * typical.size()) {
        starts.erase(starts.begin());
    }
}

/// What comes after a loop (its result is read) is not of its last iteration, though within a period.
void find_end(Loop& loop, const std::vector<Symbol>& symbols)
{
    std::unordered_map<Symbol, std::size_t> most, own;
    for (std::size_t i = 0; i + 1 < loop.starts.size(); ++i) {
        own.clear();
        for (auto at = loop.starts[i]; at < loop.end_of(i); ++at) {
            auto& of = most[symbols[at]];
            of = std::max(of, ++own[symbols[at]]);
        }
    }
    own.clear();
    const auto start = loop.starts.back();
    loop.end = start + 1;
    for (auto at = start; at < std::min(start + loop.period, symbols.size()); ++at) {
        const auto found = most.find(symbols[at]);
        if (found != most.end() && ++own[symbols[at]] <= found->second) {
            loop.end = at + 1;
        }
    }
}

/// Puts the starts as far forward as the first iteration has what the others have there.
void move_to_first(Loop& loop, const std::vector<Symbol>& symbols)
{
    auto& starts = loop.starts;
    std::size_t by = 0;
    while (by + 1 < loop.period && by < starts.front()) {
        std::size_t same = 0;
        const auto expected = symbols[starts.front() - by - 1];
        for (std::size_t i = 1; i < starts.size(); ++i) {
            same += symbols[starts[i] - by - 1] == expected ? 1 : 0;
        }
        if (4 * same < 3 * (starts.size() - 1)) {
            break;
        }
        ++by;
    }
    for (auto& start : starts) {
        start -= by;
    }
}

/// Whether half of the symbols of an iteration are in the next one, too, in any order. Shapes that differ take other
/// kernels.
bool comes_again(const Loop& loop, const std::vector<Symbol>& symbols)
{
    const auto sorted = [&](std::size_t i) { return symbols_in(symbols, loop.starts[i], loop.end_of(i)); };
    std::size_t common = 0, all = 0;
    auto before = sorted(0);
    for (std::size_t i = 1; i < loop.starts.size(); ++i) {
        auto next = sorted(i);
        common += in_both(before, next);
        all += std::max(before.size(), next.size());
        before = std::move(next);
    }
    return 2 * common >= all;
}

/// Where each mark occurs.
std::vector<std::vector<std::size_t>> places_of(const std::vector<Mark>& marks, const std::vector<Symbol>& symbols)
{
    std::vector<std::vector<std::size_t>> places(marks.size());
    for (const auto length : mark_lengths) {
        std::unordered_map<std::uint64_t, std::size_t> asked;
        for (std::size_t i = 0; i < marks.size(); ++i) {
            if (marks[i].length == length) {
                asked.emplace(marks[i].hash, i);
            }
        }
        for (std::size_t i = 0; !asked.empty() && i + length <= symbols.size(); ++i) {
            if (const auto at = asked.find(mark_at(symbols, i, length)); at != asked.end()) {
                places[at->second].push_back(i);
            }
        }
    }
    return places;
}

/// Empty if it is not much of all.
Loop loop_from(std::vector<std::size_t> starts, const std::vector<Symbol>& symbols, const Sums& sums)
{
    Loop loop;
    loop.starts = std::move(starts);
    if (loop.starts.size() < least_starts) {
        return {};
    }
    loop.period = median_distance(loop.starts);
    loop.end = symbols.size();
    leave_out_part(loop, symbols);
    move_to_first(loop, symbols);
    leave_out_ends(loop, symbols);
    if (loop.starts.size() < least_starts) {
        return {};
    }
    find_end(loop, symbols);
    if (!comes_again(loop, symbols)) {
        return {};
    }
    std::uint64_t weight = 0;
    for (std::size_t i = 0; i < loop.starts.size(); ++i) {
        weight += sums[loop.end_of(i)] - sums[loop.starts[i]];
    }
    return 2 * weight >= sums.back() ? loop : Loop {};
}

}  // namespace

std::size_t Loop::end_of(std::size_t iteration) const
{
    const auto start = starts[iteration];
    if (iteration + 1 == starts.size()) {
        return std::min(end, start + period);
    }
    return 3 * (starts[iteration + 1] - start) <= 4 * period ? starts[iteration + 1] : start + period;
}

std::vector<Loop> find_loops(const std::vector<Symbol>& symbols, const std::vector<std::uint32_t>& weights)
{
    Sums sums(symbols.size() + 1, 0);
    std::partial_sum(weights.begin(), weights.end(), sums.begin() + 1, std::plus<std::uint64_t>());
    const auto part = std::min(symbols.size(), sample);
    const auto from = (symbols.size() - part) / 2;
    const auto marks = marks_in(symbols, sums, from, from + part);
    std::vector<Mark> best;
    for (std::size_t i = 0; i < marks.size();) {
        auto end = i;
        while (end < marks.size() && 20 * marks[end].period <= 21 * marks[i].period) {
            ++end;
        }
        if (end - i >= least_marks) {
            best.push_back(best_of(marks, i, end));
        }
        i = end;
    }
    if (best.size() > most_loops) {  // the innermost are least likely to be the program's own loop
        best.erase(best.begin(), best.end() - most_loops);
    }
    std::vector<Loop> loops;
    for (auto& starts : places_of(best, symbols)) {
        if (auto loop = loop_from(std::move(starts), symbols, sums); !loop.starts.empty()) {
            loops.push_back(std::move(loop));
        }
    }
    return loops;
}

}  // namespace lanes
