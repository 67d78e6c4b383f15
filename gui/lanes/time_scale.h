// SPDX-License-Identifier: MIT
// How time lies on pixel columns. A column is w = num/den ns wide, and column k
// covers [k·w, (k+1)·w) ns from the recording's start whatever the view shows: the
// view only says which column is its first. Panning moves by whole columns, so a
// column keeps its content and its colour.
//
// All of it is exact: in ticks of 1/den ns, times and column edges are int64.
// Widths go in steps of at most 0.2 % (num has 10 bits, den is a power of two up to
// 1024), from 1/16 ns. Times as far as 2^52 ns (52 days) do not overflow; of longer
// recordings a scale is told how far they reach, and has coarser ticks and steps
// where columns are as narrow as a few ns.
// No clamping: columns before the start and after the end are valid.
#pragma once

#include "engine/trace/units.h"

namespace lanes::gui {

class TimeScale {
public:
    /// 1 us a column, starting at the recording's start.
    TimeScale() = default;
    /// The nearest width that is not smaller than `ns_per_column`, for times up to `reach` from 0.
    explicit TimeScale(double nsPerColumn, std::int64_t first = 0, Ns reach = 0);
    /// The narrowest column with which `columns` of them hold [0, duration).
    static TimeScale fitting(Ns duration, int columns);

    std::int64_t num() const { return m_num; }
    std::int64_t den() const { return m_den; }
    double nsPerColumn() const { return static_cast<double>(m_num) / static_cast<double>(m_den); }
    std::int64_t first() const { return m_first; }

    /// Ticks of 1/den ns: column k covers ticks [k·num, (k+1)·num).
    std::int64_t ticks(Ns t) const { return t * m_den; }
    /// The column that holds `t`, counted from the recording's start.
    std::int64_t columnOf(Ns t) const { return floorDivide(t * m_den, m_num); }
    /// Where `t` lies in the view, in columns from its left edge.
    double xOf(Ns t) const;
    /// The ns that lies at `x` columns from the view's left edge; columnOf(timeAt(x)) is floor(x) + first()
    /// where a column is at least 1 ns wide.
    Ns timeAt(double x) const;
    /// The first ns that lies in column `k` or after it.
    Ns startOf(std::int64_t k) const { return -floorDivide(-k * m_num, m_den); }

    TimeScale startingAt(std::int64_t first) const;
    /// The same, or as near to it as times up to `reach` allow.
    TimeScale reaching(Ns reach) const;
    TimeScale panned(std::int64_t columns) const { return startingAt(m_first + columns); }
    /// `factor` > 1 zooms in; what lies at `x` stays there, to half a column.
    TimeScale zoomed(double factor, double x) const;
    /// Shows [start, end) as large as `columns` allow, in a recording that reaches as far as `reach`.
    static TimeScale showing(Ns start, Ns end, int columns, Ns reach = 0);

    friend bool operator==(const TimeScale& a, const TimeScale& b)
    {
        return a.m_num == b.m_num && a.m_den == b.m_den && a.m_first == b.m_first;
    }

    static std::int64_t floorDivide(std::int64_t a, std::int64_t b)
    {
        const std::int64_t q = a / b;
        return q * b > a ? q - 1 : q;
    }

private:
    std::int64_t m_num = 1000;
    std::int64_t m_den = 1;
    std::int64_t m_first = 0;
    Ns m_reach = 0;
};

}  // namespace lanes::gui
