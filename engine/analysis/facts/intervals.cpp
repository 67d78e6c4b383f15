// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/intervals.h"

#include <algorithm>

namespace lanes {

IntervalSet unite(std::vector<Interval> intervals)
{
    const auto by_start = [](const Interval& a, const Interval& b) { return a.start < b.start; };
    if (!std::is_sorted(intervals.begin(), intervals.end(), by_start)) {
        std::sort(intervals.begin(), intervals.end(), by_start);
    }
    std::size_t kept = 0;  // the union grows at the front of the same vector
    for (const auto interval : intervals) {
        if (interval.start >= interval.end) {
            continue;
        }
        if (kept > 0 && interval.start <= intervals[kept - 1].end) {
            intervals[kept - 1].end = std::max(intervals[kept - 1].end, interval.end);
        } else {
            intervals[kept++] = interval;
        }
    }
    intervals.resize(kept);
    return intervals;
}

IntervalSet intersect(const IntervalSet& a, const IntervalSet& b)
{
    IntervalSet both;
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        if (const Interval part = common(*i, *j); part.start < part.end) {
            both.push_back(part);
        }
        if (i->end < j->end) {
            ++i;
        } else {
            ++j;
        }
    }
    return both;
}

IntervalSet subtract(const IntervalSet& a, const IntervalSet& b)
{
    IntervalSet rest;
    auto j = b.begin();
    for (auto interval : a) {
        while (j != b.end() && j->end <= interval.start) {
            ++j;
        }
        for (auto k = j; k != b.end() && k->start < interval.end; ++k) {
            if (interval.start < k->start) {
                rest.push_back({interval.start, k->start});
            }
            interval.start = k->end;
            j = k;  // the last one may reach into a's next interval
        }
        if (interval.start < interval.end) {
            rest.push_back(interval);
        }
    }
    return rest;
}

IntervalSet clip(const IntervalSet& a, Interval range)
{
    IntervalSet inside;
    auto i = std::upper_bound(a.begin(), a.end(), range.start, [](Ns time, const Interval& x) { return time < x.end; });
    for (; i != a.end() && i->start < range.end; ++i) {
        if (const Interval part = common(*i, range); part.start < part.end) {
            inside.push_back(part);
        }
    }
    return inside;
}

Ns length(const IntervalSet& a)
{
    Ns sum = 0;
    for (const auto& interval : a) {
        sum += interval.end - interval.start;
    }
    return sum;
}

Coverage::Coverage(IntervalSet set)
    : m_set(std::move(set))
{
    m_before.reserve(m_set.size());
    Ns sum = 0;
    for (const auto& interval : m_set) {
        m_before.push_back(sum);
        sum += interval.end - interval.start;
    }
}

Ns Coverage::before(Ns time) const
{
    const auto next = std::upper_bound(
        m_set.begin(), m_set.end(), time, [](Ns t, const Interval& interval) { return t < interval.start; });
    if (next == m_set.begin()) {
        return 0;
    }
    const auto last = next - 1;
    return m_before[static_cast<std::size_t>(last - m_set.begin())] + std::min(time, last->end) - last->start;
}

Ns Coverage::within(Interval stretch) const
{
    return stretch.start < stretch.end ? before(stretch.end) - before(stretch.start) : 0;
}

Ns Coverage::within(const IntervalSet& stretches) const
{
    Ns sum = 0;
    for (const auto& stretch : stretches) {
        sum += within(stretch);
    }
    return sum;
}

}  // namespace lanes
