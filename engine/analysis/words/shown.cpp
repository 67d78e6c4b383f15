// SPDX-License-Identifier: MIT
#include "engine/analysis/words/shown.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace lanes {

namespace {

struct Unit {
    const char* name;
    double ns;
};
constexpr std::array times {Unit {" ns", 1}, Unit {" \u00B5s", 1e3}, Unit {" ms", 1e6}, Unit {" s", 1e9}};

/// The index of the unit in which a time is shown.
std::size_t unit_of(Ns time)
{
    const double amount = std::fabs(static_cast<double>(time));
    std::size_t unit = 0;
    while (unit + 1 < times.size() && amount >= 999.5 * times[unit].ns) {
        ++unit;
    }
    return unit;
}

/// The same in every locale.
std::string with_decimals(double value, int decimals)
{
    std::array<char, 64> text {};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return {text.data(), end.ptr};
}

/// The fewest decimals, `least` or more, that show whether `value` is below `limit`, above it or equal to it.
int decimals_beside(double value, double limit, int least)
{
    constexpr int most = 9;  // with a smaller difference it equals the limit, but for the error of a quotient
    const auto side = [limit](double of) { return (of > limit) - (of < limit); };
    for (int decimals = least; decimals <= most; ++decimals) {
        const auto text = with_decimals(value, decimals);
        double shown = 0;
        std::from_chars(text.data(), text.data() + text.size(), shown);
        if (side(shown) == side(value)) {
            return decimals;
        }
    }
    return least;
}

}  // namespace

std::string shown_time(Ns time)
{
    if (time == 0) {
        return "0 ms";
    }
    const auto unit = unit_of(time);
    const double value = static_cast<double>(time) / times[unit].ns;
    const int decimals = unit == 0 || std::fabs(value) >= 99.95 ? 0 : std::fabs(value) < 9.995 ? 2 : 1;
    return with_decimals(value, decimals) + times[unit].name;
}

std::string shown_moment(Ns time, Ns longest, Ns step)
{
    const auto& unit = times[unit_of(longest)];
    int decimals = 0;
    double told = unit.ns;
    while (told > static_cast<double>(step)) {
        told /= 10;
        ++decimals;
    }
    return with_decimals(static_cast<double>(time) / unit.ns, decimals) + unit.name;
}

std::pair<std::string, std::string> shown_ends(Interval span, Ns parts)
{
    const Ns step = std::max<Ns>((span.end - span.start) / parts, 1);
    return {shown_moment(span.start, span.end, step), shown_moment(span.end, span.end, step)};
}

std::string exact_time(Ns time)
{
    if (time == 0) {
        return shown_time(0);
    }
    const auto unit = unit_of(time);
    const auto size = static_cast<std::uint64_t>(times[unit].ns);
    const auto amount = time < 0 ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
    auto text = (time < 0 ? "-" : "") + std::to_string(amount / size);
    if (const auto rest = amount % size; rest != 0) {
        text += '.' + std::to_string(size + rest).substr(1);  // with the zeros in front
        text.erase(text.find_last_not_of('0') + 1);
    }
    return text + times[unit].name;
}

std::string shown_bytes(std::uint64_t bytes)
{
    constexpr std::array names {" B", " KiB", " MiB", " GiB", " TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < names.size()) {
        value /= 1024;
        ++unit;
    }
    return with_decimals(value, value == std::floor(value) || value >= 99.95 ? 0 : 1) + names[unit];
}

std::string shown_value(double value, CounterRecord::Unit unit)
{
    if (value < 0) {
        return "-" + shown_value(-value, unit);
    }
    constexpr double most = 1e18;  // nobody reads larger figures
    if (unit == CounterRecord::bytes) {
        return shown_bytes(static_cast<std::uint64_t>(std::min(value, most)));
    }
    if (unit == CounterRecord::percent) {
        return shown_ratio(value) + " %";
    }
    if (value >= most || (value > 0 && value < 0.01)) {
        std::array<char, 32> text {};
        return {text.data(),
            std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, 2).ptr};
    }
    auto text = value < 1000 && value != std::floor(value) ? shown_ratio(value) : with_decimals(value, 0);
    for (auto at = static_cast<std::ptrdiff_t>(text.find('.') == std::string::npos ? text.size() : 0) - 3; at > 0;
         at -= 3) {
        text.insert(static_cast<std::size_t>(at), ",");
    }
    return text;
}

std::string shown_share(double fraction)
{
    if (fraction > 0 && fraction < 0.005) {
        return "< 1 %";
    }
    if (fraction < 1 && fraction >= 0.995) {
        return "> 99 %";
    }
    return std::to_string(std::lround(fraction * 100)) + " %";
}

std::string shown_change(double percent)
{
    return shown_change(percent, std::fabs(percent) < 9.95 ? 1 : 0);
}

std::string shown_change(double percent, int decimals)
{
    const auto digits = with_decimals(std::fabs(percent), decimals);
    const bool is_nothing = digits.find_first_not_of("0.") == std::string::npos;
    return (is_nothing ? "" : percent < 0 ? "-" : "+") + digits + " %";
}

std::string shown_change_beside(double percent, double limit)
{
    return shown_change(percent, decimals_beside(percent, limit, 1));
}

std::string shown_share_beside(double percent, double limit)
{
    const int decimals = decimals_beside(percent, limit, 0);
    return decimals == 0 ? shown_share(percent / 100) : with_decimals(percent, decimals) + " %";
}

std::string shown_rate(double rate)
{
    struct Unit {
        double least;
        const char* name;
    };
    constexpr std::array units {Unit {1e8, " GB/s"}, Unit {1e5, " MB/s"}, Unit {1e2, " kB/s"}};  // 0.1 GB/s, …
    for (const auto& [least, name] : units) {
        if (rate >= least) {
            return shown_ratio(rate / (10 * least)) + name;
        }
    }
    return shown_ratio(rate) + " B/s";
}

std::string shown_ratio(double ratio)
{
    const int decimals = ratio < 9.9995 ? 2 : ratio < 99.995 ? 1 : 0;
    std::string text = with_decimals(ratio, decimals);
    if (decimals > 0) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') {
            text.pop_back();
        }
    }
    return text;
}

}  // namespace lanes
