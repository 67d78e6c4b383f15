// SPDX-License-Identifier: MIT
#include "gui/lanes/counter_curve.h"

#include <algorithm>

namespace lanes::gui {

namespace {

void widen(CounterCurve::Values& values, const CounterCurve::Values& by)
{
    values.least = std::min(values.least, by.least);
    values.most = std::max(values.most, by.most);
}

}  // namespace

CounterCurve::CounterCurve(const Trace& trace, Row counter, Ns until)
    : m_times(trace.samples.time.data() + trace.counters[counter].samples.begin)
    , m_numbers(trace.samples.value.data() + trace.counters[counter].samples.begin)
    , m_size(trace.counters[counter].samples.size())
    , m_until(std::max(until, m_times[m_size - 1] + 1))
    , m_unit(trace.counters[counter].unit)
{
    const auto add = [this](std::size_t size, auto valuesOf) {
        std::vector<Values> level;
        level.reserve(size / group + 1);
        for (std::size_t i = 0; i < size; ++i) {
            if (i % group == 0) {
                level.push_back(valuesOf(i));
            } else {
                widen(level.back(), valuesOf(i));
            }
        }
        m_levels.push_back(std::move(level));
    };
    add(m_size, [this](std::size_t i) { return Values {m_numbers[i], m_numbers[i]}; });
    while (m_levels.back().size() > group) {
        add(m_levels.back().size(), [below = m_levels.back()](std::size_t i) { return below[i]; });
    }
    m_values = of(0, m_size);
}

std::optional<double> CounterCurve::at(Ns time) const
{
    const Ns* const next = std::upper_bound(m_times, m_times + m_size, time);
    return next == m_times || time >= m_until ? std::nullopt : std::optional(m_numbers[next - m_times - 1]);
}

std::optional<CounterCurve::Values> CounterCurve::in(Ns start, Ns end) const
{
    const Ns* const ends = m_times + m_size;
    const Ns* const held = std::upper_bound(m_times, ends, start);
    const Ns* const first = held == m_times ? held : held - 1;
    const Ns* const last = std::lower_bound(first, ends, end);
    if (first >= last || start >= m_until) {
        return {};
    }
    return of(static_cast<std::size_t>(first - m_times), static_cast<std::size_t>(last - m_times));
}

/// Whole groups from their level, what is left at both ends from the level below.
CounterCurve::Values CounterCurve::of(std::size_t first, std::size_t last) const
{
    Values values {m_numbers[first], m_numbers[first]};
    const auto take = [&](std::size_t level, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            widen(values, level == 0 ? Values {m_numbers[i], m_numbers[i]} : m_levels[level - 1][i]);
        }
    };
    std::size_t level = 0;
    for (; level < m_levels.size() && last - first > 2 * group; ++level) {
        const std::size_t up = (first + group - 1) / group;
        const std::size_t down = last / group;
        take(level, first, up * group);
        take(level, down * group, last);
        first = up;
        last = down;
    }
    take(level, first, last);
    return values;
}

std::size_t CounterCurve::bytes() const
{
    std::size_t sum = sizeof *this;
    for (const std::vector<Values>& level : m_levels) {
        sum += level.capacity() * sizeof(Values);
    }
    return sum;
}

}  // namespace lanes::gui
