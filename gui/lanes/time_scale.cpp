// SPDX-License-Identifier: MIT
#include "gui/lanes/time_scale.h"

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double narrowest = 1.0 / 16;
constexpr double widest = 0x1p57;
constexpr std::int64_t most_ticks = std::int64_t {1} << 62U;  // of a time: half a column more still fits
constexpr std::int64_t finest_den = 1024;
constexpr double mantissa = 512;  // num lies in [512, 1024) where den allows it

}  // namespace

TimeScale::TimeScale(double nsPerColumn, std::int64_t first, Ns reach)
    : m_first(first)
    , m_reach(reach)
{
    const double wanted = std::clamp(nsPerColumn, narrowest, widest);
    m_den = 1;
    while (m_den < finest_den && wanted * static_cast<double>(m_den) < mantissa && reach <= most_ticks / (2 * m_den)) {
        m_den *= 2;
    }
    std::int64_t step = 1;
    while (wanted * static_cast<double>(m_den) / static_cast<double>(step) >= 2 * mantissa) {
        step *= 2;
    }
    m_num
        = step * static_cast<std::int64_t>(std::ceil(wanted * static_cast<double>(m_den) / static_cast<double>(step)));
}

TimeScale TimeScale::fitting(Ns duration, int columns)
{
    return TimeScale(static_cast<double>(std::max<Ns>(duration, 1)) / std::max(columns, 1), 0, duration);
}

double TimeScale::xOf(Ns t) const
{
    const std::int64_t column = columnOf(t);
    const auto within = static_cast<double>(ticks(t) - column * m_num) / static_cast<double>(m_num);
    return static_cast<double>(column - m_first) + within;
}

Ns TimeScale::timeAt(double x) const
{
    const double whole = std::floor(x);
    const std::int64_t start = (m_first + static_cast<std::int64_t>(whole)) * m_num;
    const auto within = static_cast<std::int64_t>((x - whole) * static_cast<double>(m_num));
    const Ns t = floorDivide(start + within, m_den);
    // The edge itself may lie inside a nanosecond that began in the column before.
    return m_num >= m_den && t * m_den < start ? t + 1 : t;
}

TimeScale TimeScale::startingAt(std::int64_t first) const
{
    TimeScale scale = *this;
    scale.m_first = first;
    return scale;
}

TimeScale TimeScale::reaching(Ns reach) const
{
    TimeScale scale = *this;
    scale.m_reach = reach;
    if (m_den > 1 && reach > most_ticks / m_den) {
        scale = TimeScale(nsPerColumn(), 0, reach);
        scale.m_first = scale.columnOf(timeAt(0));
    }
    return scale;
}

TimeScale TimeScale::zoomed(double factor, double x) const
{
    TimeScale scale(nsPerColumn() / factor, 0, m_reach);
    const auto isNoStep = [&] { return factor > 1 && scale.nsPerColumn() >= nsPerColumn(); };
    if (isNoStep()) {  // rounding ate a small step
        scale = TimeScale(nsPerColumn() * (1 - 1 / mantissa) / factor, 0, m_reach);
    }
    if (isNoStep() && m_num > 1) {  // all of it, as ticks may be no finer
        scale.m_num = m_num - 1;
        scale.m_den = m_den;
    }
    // A double would be off by many columns where a recording is long.
    const auto first = static_cast<long double>(m_first);
    const auto at = (first + x) * static_cast<long double>(m_num) / static_cast<long double>(m_den);
    const auto width = static_cast<long double>(scale.m_num) / static_cast<long double>(scale.m_den);
    scale.m_first = static_cast<std::int64_t>(std::llround(at / width - x));
    return scale;
}

TimeScale TimeScale::showing(Ns start, Ns end, int columns, Ns reach)
{
    const TimeScale scale(static_cast<double>(std::max<Ns>(end - start, 1)) / std::max(columns - 1, 1), 0,
        std::max({reach, start < 0 ? -start : start, end}));
    return scale.startingAt(scale.columnOf(start));
}

}  // namespace lanes::gui
