// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/time_range.h"

#include "engine/analysis/facts/steady_state.h"
#include "engine/analysis/words/shown.h"
#include "engine/workload/nearest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace lanes {

namespace {

constexpr std::string_view steady_word = "steady";

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    return text;
}

}  // namespace

Ns parse_time(std::string_view whole)
{
    constexpr std::array<std::pair<std::string_view, double>, 7> units {
        {{"", 1}, {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"μs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
    const auto text = trimmed(whole);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) {
        throw std::invalid_argument("'" + std::string(text) + "' is not a time, expected one such as 2ms or 5.5us");
    }
    const auto unit = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
    for (const auto& [name, factor] : units) {
        if (unit == name) {
            const double ns = number * factor;
            if (!(ns >= 0 && ns < 9e18)) {
                throw std::invalid_argument("'" + std::string(text) + "' is not a time in a recording");
            }
            return static_cast<Ns>(std::llround(ns));
        }
    }
    throw std::invalid_argument(
        "unknown unit '" + std::string(unit) + "' in '" + std::string(text) + "', expected ns, us, ms or s");
}

namespace {

/// Where the recording ends, rounded as elsewhere; exact where the rounded time would not be below what was found.
std::string end_of(Ns duration, Ns found, Ns run)
{
    const auto shown = shown_time(duration);
    auto end = found < parse_time(shown) ? exact_time(duration) : shown;
    if (run <= 0 || shown_time(run) == shown) {
        return end;
    }
    return end + " (the run ends at " + shown_time(run) + "; what the host did with its results comes after that)";
}

/// As reports give it.
Ns run_of(const Trace& trace)
{
    Ns run = 0;
    for (const auto* ends : {&trace.calls.end, &trace.operations.end}) {
        const auto last = std::max_element(ends->begin(), ends->end());
        run = last == ends->end() ? run : std::max(run, *last);
    }
    return run;
}

}  // namespace

Interval parse_time_range(std::string_view text, Ns duration, Ns run)
{
    const auto colon = text.find(':');
    if (colon == std::string_view::npos || text.find(':', colon + 1) != std::string_view::npos) {
        const auto nearest = nearest_name(trimmed(text), {std::string(steady_word)});
        throw std::invalid_argument("'" + std::string(text) + "' is not a range, expected A:B such as 2ms:5.5ms"
            + (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    }
    const auto from = trimmed(text.substr(0, colon));
    const auto to = trimmed(text.substr(colon + 1));
    const Interval range {from.empty() ? 0 : parse_time(from), to.empty() ? duration : parse_time(to)};
    if (range.start >= duration) {
        throw std::invalid_argument("the range '" + std::string(text) + "' begins after the recording's end: found "
            + exact_time(range.start) + ", expected a time of the recording, which spans 0 ms to "
            + end_of(duration, range.start, run));
    }
    if (range.start >= range.end) {
        throw std::invalid_argument("the range '" + std::string(text) + "' is empty: it ends "
            + (range.start == range.end ? "where" : "before") + " it begins");
    }
    return range;
}

Interval parse_range_of(const Trace& trace, std::string_view text)
{
    if (trimmed(text) != steady_word) {
        return parse_time_range(text, trace.duration, run_of(trace));
    }
    const auto steady = find_steady_state(trace);
    if (!steady) {
        throw std::invalid_argument(
            "nothing repeats in this recording, so it has no 'steady' part; expected A:B such as 2ms:5.5ms");
    }
    return steady->span;
}

}  // namespace lanes
