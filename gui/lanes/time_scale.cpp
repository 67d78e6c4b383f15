// SPDX-License-Identifier: MIT
#include "gui/lanes/time_scale.h"

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double narrowest = 1.0 / 16;
constexpr double widest = 0x1p50;
constexpr std::int64_t finest_den = 1024;
constexpr double mantissa = 512;  // num lies in [512, 1024) where den allows it

}  // namespace

TimeScale::TimeScale(double nsPerColumn, std::int64_t first)
    : m_first(first)
{
    const double wanted = std::clamp(nsPerColumn, narrowest, widest);
    m_den = 1;
    while (m_den < finest_den && wanted * static_cast<double>(m_den) < mantissa) {
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
    return TimeScale(static_cast<double>(std::max<Ns>(duration, 1)) / std::max(columns, 1));
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

TimeScale TimeScale::zoomed(double factor, double x) const
{
    TimeScale scale(nsPerColumn() / factor);
    if (factor > 1 && scale.m_num * m_den >= m_num * scale.m_den) {  // rounding ate a small step
        scale = TimeScale(nsPerColumn() * (1 - 1 / mantissa) / factor);
    }
    const double at = (static_cast<double>(m_first) + x) * nsPerColumn();
    scale.m_first = static_cast<std::int64_t>(std::llround(at / scale.nsPerColumn() - x));
    return scale;
}

TimeScale TimeScale::showing(Ns start, Ns end, int columns)
{
    const TimeScale scale = fitting(end - start, std::max(columns - 1, 1));
    return scale.startingAt(scale.columnOf(start));
}

}  // namespace lanes::gui
