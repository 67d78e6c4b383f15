// SPDX-License-Identifier: MIT
#include "engine/store/kept_trace.h"
#include "engine/trace/tables.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

namespace lanes {

namespace {

/// Whether it is 0 or 1 in memory: any other byte is no bool.
bool is_bool(const bool& value)
{
    unsigned char byte = 0;
    std::memcpy(&byte, &value, 1);
    return byte <= 1;
}

bool is_before(const Interval& a, const Interval& b)
{
    return a.start < b.start || (a.start == b.start && a.end <= b.end);
}

class Check {
public:
    explicit Check(const Trace& trace)
        : t(trace)
    {
    }
    bool run() const
    {
        bool good = t.duration >= 0 && t.strings.size() > 0;
        for_each_table([&](auto table) { good = good && cells_and_times(table); });
        return good && operations() && outer_calls() && autograd() && counters();
    }

private:
    /// Whether a column may have this value. Most kinds allow any.
    template <class Column, class Value> bool may_hold(const Column& column, const Value& value) const
    {
        if constexpr (Column::kind == ColumnKind::text) {
            return value < t.strings.size();
        } else if constexpr (Column::kind == ColumnKind::row) {
            return value < (t.*column.target).size() || (value == no_row && !column.must);
        } else if constexpr (Column::kind == ColumnKind::enumeration) {
            return static_cast<std::uint64_t>(value) <= column.last;
        } else if constexpr (Column::kind == ColumnKind::flag) {
            return is_bool(value);
        } else {
            return true;
        }
    }
    /// Whether each cell is allowed, nothing ends before it starts or after the recording, and no row begins before the
    /// row above it. Plain loops, which the compiler vectorises.
    template <class Table> bool cells_and_times(Table table) const
    {
        const auto& rows = t.*Table::rows;
        if constexpr (Table::is_in_columns) {
            return all_columns(table, [&](const auto& column) {
                bool all = (rows.*column.member).size() == rows.size();
                for (const auto value : rows.*column.member) {
                    all &= may_hold(column, value);
                }
                return all;
            }) && times<std::is_same_v<Table, tables::Operations>>(rows);
        } else {
            return std::apply(
                [&](const auto&... columns) {
                    bool all = true;
                    for (std::size_t i = 0; i < rows.size(); ++i) {
                        all &= (may_hold(columns, rows[i].*columns.member) && ...) && time<false>(rows, i);
                    }
                    return all;
                },
                Table::columns);
        }
    }
    /// `by_stream`: rows are sorted by stream first.
    template <bool by_stream, class Rows> bool time(const Rows& rows, std::size_t i) const
    {
        if constexpr (Timed<Rows>) {
            const auto span = span_in(rows, i);
            return span.start <= span.end && span.end <= t.duration
                && (by_stream || i == 0 || is_before(span_in(rows, i - 1), span));
        } else {
            return true;
        }
    }
    template <bool by_stream, class Rows> bool times(const Rows& rows) const
    {
        bool good = true;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            good &= time<by_stream>(rows, i);
        }
        return good;
    }
    bool operations() const
    {
        const auto& o = t.operations;
        const std::array<std::size_t, 3> details {t.kernels.size(), t.copies.size(), t.memsets.size()};
        bool good = true;
        for (std::size_t i = 0; i < o.size(); ++i) {
            const auto kind = o.kind[i] == OperationKind::kernel ? 0U : o.kind[i] == OperationKind::memset ? 2U : 1U;
            good &= o.detail[i] < details[kind];
        }
        for (std::size_t i = 1; i < o.size(); ++i) {
            good &= o.stream[i - 1] < o.stream[i]
                || (o.stream[i - 1] == o.stream[i] && is_before(span_in(o, i - 1), span_in(o, i)));
        }
        return good;
    }
    bool outer_calls() const
    {
        const auto& outer = t.calls.outer;
        return std::all_of(
            outer.begin(), outer.end(), [&](Row call) { return call == no_row || outer[call] == no_row; });
    }
    bool autograd() const
    {
        return std::adjacent_find(t.autograd.begin(), t.autograd.end(), [](const auto& a, const auto& b) {
            return a.range >= b.range;
        }) == t.autograd.end();
    }
    bool counters() const
    {
        Row next = 0;
        for (const auto& c : t.counters) {
            const auto first = t.samples.time.begin();
            if (c.samples.begin != next || c.samples.end <= next || c.samples.end > t.samples.size()
                || !std::is_sorted(first + c.samples.begin, first + c.samples.end)) {
                return false;
            }
            next = c.samples.end;
        }
        return next == t.samples.size()
            && std::all_of(
                t.samples.value.begin(), t.samples.value.end(), [](double value) { return std::isfinite(value); });
    }

    const Trace& t;
};

}  // namespace

bool is_possible(const Trace& trace)
{
    return Check(trace).run();
}

}  // namespace lanes
