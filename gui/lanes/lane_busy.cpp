// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_busy.h"

namespace lanes::gui {

LaneBusy::LaneBusy(const std::vector<LaneRow>& rows)
{
    if (rows.size() < 2) {
        return;
    }
    std::vector<Interval> others;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        for (std::size_t i = 0; i < rows[r].items.size(); ++i) {
            others.push_back({rows[r].items.start(i), rows[r].items.end(i)});
        }
    }
    IntervalSet rest;
    const RowItems& first = rows.front().items;
    for (const Interval& busy : unite(std::move(others))) {
        Ns from = busy.start;
        for (std::size_t i = first.firstEndingAfter(from); i < first.size() && first.start(i) < busy.end; ++i) {
            if (first.start(i) > from) {
                rest.push_back({from, first.start(i)});
            }
            from = std::max(from, first.end(i));
        }
        if (from < busy.end) {
            rest.push_back({from, busy.end});
        }
    }
    rest.shrink_to_fit();
    if (!rest.empty()) {
        m_rest.emplace(std::move(rest));
    }
}

Ns LaneBusy::in(const std::vector<LaneRow>& rows, Ns start, Ns end) const
{
    if (rows.empty() || end <= start) {
        return 0;
    }
    return rows.front().busyIn(start, end) + (m_rest ? m_rest->within(Interval {start, end}) : 0);
}

}  // namespace lanes::gui
